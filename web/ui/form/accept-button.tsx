import { IconCircle, IconCircleCheckFilled } from "@tabler/icons-react";
import { useId } from "react";
import { type Control, type FieldPath, type FieldValues, useController } from "react-hook-form";
import classes from "./form.module.css";
import { Button } from "#web/ui/button.tsx";

export interface AcceptButtonProps<TValues extends FieldValues> {
  control: Control<TValues>;
  name: FieldPath<TValues>;
  label: string;
}

/** A toggle button for agreement. Pressing it again withdraws the agreement. */
export function AcceptButton<TValues extends FieldValues>({ control, name, label }: AcceptButtonProps<TValues>) {
  const { field, fieldState } = useController({ control, name });
  const { ref, value, onBlur, onChange } = field;
  const errorId = useId();
  const accepted: boolean = value === true;
  const error = fieldState.error?.message;
  const Icon = accepted ? IconCircleCheckFilled : IconCircle;
  return (
    <div>
      <Button
        ref={ref}
        style={{ textAlign: "start", borderColor: error === undefined ? undefined : "var(--xp-critical)" }}
        variant={accepted ? "light" : "default"}
        aria-pressed={accepted}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : errorId}
        leftSection={<Icon size={20} stroke={1.8} aria-hidden="true" />}
        onBlur={onBlur}
        onClick={() => onChange(!accepted)}
      >
        {label}
      </Button>
      {error !== undefined && (
        <p id={errorId} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}
