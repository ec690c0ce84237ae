import { Fieldset, Input } from "@mantine/core";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import type { DeviceAuthorizationQuery } from "#web/generated/graphql.ts";
import { useField } from "#web/ui/form/use-field.tsx";
import { describePeriodEnd } from "#web/licensing/licences/licence-expiry.tsx";
import classes from "./licence-choice.module.css";

type Licence = DeviceAuthorizationQuery["me"]["licences"][number];

/** Radio group of the customer's active licences, with the number of devices in use on each. */
export function LicenceChoice<TValues extends FieldValues>(props: {
  control: Control<TValues>;
  licences: readonly Licence[];
  /** Ids of the licences on which the device is already activated. */
  activatedOn: readonly string[];
}) {
  const { control, licences, activatedOn } = props;
  const name = "licenceId" as FieldPath<TValues>;
  const { value, frame, box } = useField({ control, name, label: "Licence" });
  const { label, error } = frame;
  return (
    <Fieldset legend={label} className={classes.choice}>
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
            aria-describedby={error === undefined ? undefined : `${box.id}-error`}
          />
          <span className={classes.words}>
            <b>
              {licence.product} {licence.subscriptionLevel}
            </b>
            <span>
              {formatDevicesInUse(licence)} · {formatEnd(licence)}
            </span>
          </span>
          <State licence={licence} isActivated={activatedOn.includes(licence.id)} />
        </label>
      ))}
      {error !== undefined && <Input.Error id={`${box.id}-error`}>{error}</Input.Error>}
    </Fieldset>
  );
}

function State({ licence, isActivated }: { licence: Licence; isActivated: boolean }) {
  if (isActivated) return <span className={classes.state}>Already on this device</span>;
  if (licence.devices.length < licence.numberOfMachines) return null;
  return (
    <span className={classes.state} data-full>
      Full
    </span>
  );
}

function formatEnd(licence: Licence): string {
  const { label, date } = describePeriodEnd(licence);
  return `${label.toLowerCase()} ${date}`;
}

function formatDevicesInUse({ devices, numberOfMachines }: Licence): string {
  return `${devices.length} of ${numberOfMachines} ${numberOfMachines === 1 ? "device" : "devices"} in use`;
}
