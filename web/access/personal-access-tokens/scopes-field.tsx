import type { FieldValues } from "react-hook-form";
import { explainScope, scopes, scopesOfRole } from "#schema/scopes.ts";
import type { Role } from "#web/platform/session.ts";
import { type FieldProps, useField } from "#web/ui/form/fields.tsx";
import classes from "./scopes-field.module.css";

/** The scopes that a role may choose from, each with what it allows; the form holds the list of their names. */
export function ScopesField<TValues extends FieldValues>(props: FieldProps<TValues> & { role: Role }) {
  const { value, frame, box } = useField(props);
  const { id, label, error } = frame;
  const chosen = Array.isArray(value) ? (value as unknown[]) : [];
  const offered = scopesOfRole(props.role);
  return (
    <fieldset className={classes.field} aria-describedby={`${id}-hint${error === undefined ? "" : ` ${id}-error`}`}>
      <legend className={classes.legend}>{label}</legend>
      <p id={`${id}-hint`} className={classes.hint}>
        Give it no more than the program needs. Managing does not include reading.
      </p>
      <div className={classes.scopes}>
        {offered.map((scope) => (
          <label key={scope} className={classes.scope}>
            <input
              type="checkbox"
              name={box.name}
              checked={chosen.includes(scope)}
              aria-invalid={box["aria-invalid"]}
              aria-labelledby={`${id}-${scope}`}
              aria-describedby={`${id}-${scope}-means`}
              onBlur={box.onBlur}
              onChange={(event) => {
                const isChosen = event.currentTarget.checked;
                box.onChange(offered.filter((one) => (one === scope ? isChosen : chosen.includes(one))));
              }}
            />
            <span className={classes.words}>
              <span className={classes.name}>
                <b id={`${id}-${scope}`}>{scopes[scope].label}</b> <code>{scope}</code>
              </span>
              <span id={`${id}-${scope}-means`} className={classes.means}>
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
