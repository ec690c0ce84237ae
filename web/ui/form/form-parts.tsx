import { type ReactNode, useLayoutEffect, useRef } from "react";
import buttonClasses from "#web/ui/button.module.css";
import { useFormBusy } from "./app-form.tsx";
import classes from "./form.module.css";

/**
 * Fields in columns where the width allows.
 * @param shares relative widths, default two equal ones
 */
export function FieldColumns({ shares = [1, 1], children }: { shares?: readonly number[]; children: ReactNode }) {
  const columns = shares.map((share) => `minmax(0, ${share}fr)`).join(" ");
  return (
    <div className={classes.columns} style={{ "--columns": columns } as React.CSSProperties}>
      {children}
    </div>
  );
}

export function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{title}</legend>
      {children}
    </fieldset>
  );
}

export function FormActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}

interface SubmitButtonProps {
  danger?: boolean;
  /** `default` if the page has a more important form. */
  variant?: "default" | undefined;
  children: ReactNode;
}

/**
 * Submits the surrounding form and shows its progress. Stays enabled meanwhile to keep the focus: the form prevents a
 * second submission.
 */
export function SubmitButton({ danger = false, variant, children }: SubmitButtonProps) {
  const busy = useFormBusy();
  return (
    <button
      type="submit"
      className={buttonClasses.button}
      data-variant={variant}
      data-tone={danger ? "critical" : undefined}
      data-busy={busy || undefined}
      aria-disabled={busy || undefined}
      // Without scripts, it would open a line of JSON.
      data-needs-scripts
    >
      {children}
    </button>
  );
}

/** Disables its fields while the form is being submitted, then restores the focus. */
export function BlockedWhileSaving({ children }: { children: ReactNode }) {
  const busy = useFormBusy();
  const focused = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    if (busy) return;
    if (document.activeElement === document.body) focused.current?.focus();
    focused.current = null;
  }, [busy]);
  return (
    <div
      className={classes.form}
      inert={busy}
      onFocus={({ target }) => {
        focused.current = target;
      }}
    >
      {children}
    </div>
  );
}
