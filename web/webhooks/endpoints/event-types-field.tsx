import type { FieldValues } from "react-hook-form";
import { type FieldProps, useField } from "#web/ui/form/fields.tsx";
import formClasses from "#web/ui/form/form.module.css";
import classes from "./event-types-field.module.css";
import { allEventTypes, eventDescriptions } from "./webhook-labels.ts";

/** Checkboxes for the events of an endpoint, each with a description. */
export function EventTypesField<TValues extends FieldValues>(props: FieldProps<TValues>) {
  const { value, frame, box } = useField(props);
  const { id, label, error } = frame;
  const chosen = Array.isArray(value) ? (value as unknown[]) : [];
  const choose = (isWanted: (type: string) => boolean) => box.onChange(allEventTypes.filter(isWanted));
  const hasAll = allEventTypes.every((type) => chosen.includes(type));
  return (
    <div role="group" aria-labelledby={`${id}-name`} aria-describedby={box["aria-describedby"]}>
      <div className={classes.head}>
        <span id={`${id}-name`} className={formClasses.label}>
          {label}
        </span>
        <button type="button" className={classes.all} onClick={() => choose(() => !hasAll)}>
          {hasAll ? "Choose none" : "Choose all"}
        </button>
      </div>
      <div className={classes.options}>
        {allEventTypes.map((type) => (
          <div key={type} className={formClasses.checkbox}>
            <input
              id={`${id}-${type}`}
              type="checkbox"
              name={box.name}
              checked={chosen.includes(type)}
              aria-invalid={box["aria-invalid"]}
              aria-describedby={`${id}-${type}-says`}
              onBlur={box.onBlur}
              onChange={(event) => {
                const isChosen = event.currentTarget.checked;
                choose((one) => (one === type ? isChosen : chosen.includes(one)));
              }}
            />
            <label className={classes.type} htmlFor={`${id}-${type}`}>
              {type}
            </label>
            <p id={`${id}-${type}-says`} className={formClasses.hint}>
              {eventDescriptions[type]}
            </p>
          </div>
        ))}
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} className={formClasses.error}>
          {error}
        </p>
      )}
    </div>
  );
}
