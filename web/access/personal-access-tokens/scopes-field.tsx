import type { FieldValues } from "react-hook-form";
import { explainScope, scopes, getRoleScopes } from "#schema/scopes.ts";
import type { Role } from "#web/platform/session.ts";
import { type FieldProps, useField } from "#web/ui/form/use-field.tsx";
import classes from "./scopes-field.module.css";

/** Checkboxes for the scopes that a role can choose, each with an explanation. The value is a list of scope names. */
export function ScopesField<TValues extends FieldValues>(props: FieldProps<TValues> & { role: Role }) {
  const { value, frame, box } = useField(props);
  const { label, error } = frame;
  const { id } = box;
  const selected = Array.isArray(value) ? (value as unknown[]) : [];
  const availableScopes = getRoleScopes(props.role);
  return (
    <fieldset className={classes.field} aria-describedby={`${id}-hint${error === undefined ? "" : ` ${id}-error`}`}>
      <legend className={classes.legend}>{label}</legend>
      <p id={`${id}-hint`} className={classes.hint}>
        Choose only the scopes the program needs. Manage scopes don't include reading.
      </p>
      <div className={classes.scopes}>
        {availableScopes.map((scope) => (
          <label key={scope} className={classes.scope}>
            <input
              type="checkbox"
              name={box.name}
              checked={selected.includes(scope)}
              aria-invalid={box["aria-invalid"]}
              aria-labelledby={`${id}-${scope}`}
              aria-describedby={`${id}-${scope}-explanation`}
              onBlur={box.onBlur}
              onChange={(event) => {
                const isSelected = event.currentTarget.checked;
                box.onChange(availableScopes.filter((one) => (one === scope ? isSelected : selected.includes(one))));
              }}
            />
            <span className={classes.words}>
              <span className={classes.name}>
                <b id={`${id}-${scope}`}>{scopes[scope].label}</b> <code>{scope}</code>
              </span>
              <span id={`${id}-${scope}-explanation`} className={classes.means}>
                {explainScope(scope, props.role)}
              </span>
            </span>
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
