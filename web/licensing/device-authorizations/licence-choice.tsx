import type { Control, FieldPath, FieldValues } from "react-hook-form";
import type { DeviceAuthorizationQuery } from "#web/generated/graphql.ts";
import { useField } from "#web/ui/form/fields.tsx";
import formClasses from "#web/ui/form/form.module.css";
import { endOfPeriod } from "#web/licensing/licences/licence-expiry.tsx";
import classes from "./licence-choice.module.css";

type Licence = DeviceAuthorizationQuery["me"]["licences"][number];

/** One of the customer's running licences, each with how many of its places are taken. */
export function LicenceChoice<TValues extends FieldValues>(props: {
  control: Control<TValues>;
  licences: readonly Licence[];
  /** Ids of those on which the machine has a place already. */
  withPlace: readonly string[];
}) {
  const { control, licences, withPlace } = props;
  const name = "licenceId" as FieldPath<TValues>;
  const { value, frame, box } = useField({ control, name, label: "Licence" });
  const { id, label, error } = frame;
  return (
    <fieldset className={classes.choice}>
      <legend className={formClasses.label}>{label}</legend>
      {licences.map((licence) => (
        <label key={licence.id} className={classes.licence} data-chosen={value === licence.id || undefined}>
          <input
            type="radio"
            name={box.name}
            value={licence.id}
            checked={value === licence.id}
            onChange={() => box.onChange(licence.id)}
            onBlur={box.onBlur}
            data-invalid={error === undefined ? undefined : true}
            aria-describedby={error === undefined ? undefined : `${id}-error`}
          />
          <span className={classes.words}>
            <b>
              {licence.product} {licence.subscriptionLevel}
            </b>
            <span>
              {placesOf(licence)} · {endInWords(licence)}
            </span>
          </span>
          <State licence={licence} hasPlace={withPlace.includes(licence.id)} />
        </label>
      ))}
      {error !== undefined && (
        <p id={`${id}-error`} className={formClasses.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

function State({ licence, hasPlace }: { licence: Licence; hasPlace: boolean }) {
  if (hasPlace) return <span className={classes.state}>On this device already</span>;
  if (licence.devices.length < licence.numberOfMachines) return null;
  return (
    <span className={classes.state} data-full>
      Full
    </span>
  );
}

function endInWords(licence: Licence): string {
  const { label, date } = endOfPeriod(licence);
  return `${label.toLowerCase()} ${date}`;
}

function placesOf({ devices, numberOfMachines }: Licence): string {
  return `${devices.length} of ${numberOfMachines} ${numberOfMachines === 1 ? "device" : "devices"} in use`;
}
