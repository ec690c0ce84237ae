import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
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

/** Sends the surrounding form; shows that it is being sent and can't be pressed meanwhile. */
export function SubmitButton({ children, ...props }: ButtonProps & { children: ReactNode }) {
  return (
    <Button type="submit" loading={useFormBusy()} {...props}>
      {children}
    </Button>
  );
}
