import { Badge, Fieldset, Group, Input, Paper, Radio, Stack, Text } from "@mantine/core";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import type { DeviceAuthorizationQuery } from "#web/generated/graphql.ts";
import { useField } from "#web/ui/form/use-field.tsx";
import { describePeriodEnd } from "#web/licensing/licences/licence-expiry.tsx";

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
    <Fieldset legend={label}>
      <Stack gap="xs">
        {licences.map((licence) => (
          <Paper
            key={licence.id}
            component="label"
            px="md"
            py="sm"
            radius="lg"
            bd={`1px solid var(${value === licence.id ? "--xp-brand" : "--xp-line-strong"})`}
            bg={value === licence.id ? "var(--xp-brand-soft)" : undefined}
          >
            <Group gap="sm">
              <Radio
                name={box.name}
                value={licence.id}
                checked={value === licence.id}
                onChange={() => box.onChange(licence.id)}
                onBlur={box.onBlur}
                error={error !== undefined}
                aria-describedby={error === undefined ? undefined : `${box.id}-error`}
              />
              <Stack gap={0} flex="1 1 12rem" style={{ overflowWrap: "anywhere" }}>
                <b>
                  {licence.product} {licence.subscriptionLevel}
                </b>
                <Text span size="sm" c="dimmed">
                  {formatDevicesInUse(licence)} · {formatEnd(licence)}
                </Text>
              </Stack>
              <State licence={licence} isActivated={activatedOn.includes(licence.id)} />
            </Group>
          </Paper>
        ))}
      </Stack>
      {error !== undefined && <Input.Error id={`${box.id}-error`}>{error}</Input.Error>}
    </Fieldset>
  );
}

function State({ licence, isActivated }: { licence: Licence; isActivated: boolean }) {
  if (isActivated) return <Badge>Already on this device</Badge>;
  if (licence.devices.length < licence.numberOfMachines) return null;
  return <Badge color="marigold">Full</Badge>;
}

function formatEnd(licence: Licence): string {
  const { label, format } = describePeriodEnd(licence);
  return `${label.toLowerCase()} ${format(licence.periodEndsAt)}`;
}

function formatDevicesInUse({ devices, numberOfMachines }: Licence): string {
  return `${devices.length} of ${numberOfMachines} ${numberOfMachines === 1 ? "device" : "devices"} in use`;
}
