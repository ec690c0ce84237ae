import type { ReactNode } from "react";
import buttonClasses from "#web/ui/button.module.css";
import { useFormBusy } from "./app-form.tsx";
import classes from "./form.module.css";

/**
 * Fields side by side where the width allows, below each other elsewhere.
 * @param shares widths in relation to each other, default two equal ones
 */
export function FieldColumns({ shares = [1, 1], children }: { shares?: readonly number[]; children: ReactNode }) {
  const columns = shares.map((share) => `minmax(0, ${share}fr)`).join(" ");
  return (
    <div className={classes.columns} style={{ "--columns": columns } as React.CSSProperties}>
      {children}
    </div>
  );
}

/** Fields that belong together, under a name of their own. */
export function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{title}</legend>
      {children}
    </fieldset>
  );
}

/** The row of buttons at a form's foot. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}

/**
 * Sends the surrounding form; shows that it is being sent. Not disabled meanwhile, which would take the focus away:
 * the form itself can't be sent twice.
 */
export function SubmitButton({
  danger = false,
  variant,
  children,
}: {
  danger?: boolean;
  /** `default` where a page has a form that is sent more often. */
  variant?: "default";
  children: ReactNode;
}) {
  const busy = useFormBusy();
  return (
    <button
      type="submit"
      className={buttonClasses.button}
      data-variant={variant}
      data-tone={danger ? "critical" : undefined}
      data-busy={busy || undefined}
      aria-disabled={busy || undefined}
    >
      {children}
    </button>
  );
}
