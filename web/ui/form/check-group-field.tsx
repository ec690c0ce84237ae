import type { FieldValues } from "react-hook-form";
import { type FieldProps, useField } from "./fields.tsx";
import classes from "./form.module.css";

/** A group of checkboxes. The form value is the list of checked values in the order of `options`. */
export function CheckGroupField<TValues extends FieldValues>(
  props: FieldProps<TValues> & { options: readonly { value: number; label: string }[] },
) {
  const { options } = props;
  const { value, frame, box } = useField(props);
  const { id, label, error } = frame;
  const chosen = Array.isArray(value) ? (value as unknown[]) : [];
  return (
    <fieldset className={classes.checkGroup} aria-describedby={box["aria-describedby"]}>
      <legend className={classes.label}>{label}</legend>
      <div className={classes.checks}>
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="checkbox"
              name={box.name}
              checked={chosen.includes(option.value)}
              disabled={props.disabled}
              aria-invalid={box["aria-invalid"]}
              onBlur={box.onBlur}
              onChange={(event) => {
                const isChosen = event.currentTarget.checked;
                box.onChange(
                  options
                    .map((one) => one.value)
                    .filter((one) => (one === option.value ? isChosen : chosen.includes(one))),
                );
              }}
            />
            {option.label}
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} className={classes.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
