import { Alert, Paper, Stack, Text, Title, Badge, Fieldset, Group, Input, Radio } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { InferType } from "yup";
import { useWatch, type Control } from "react-hook-form";
import { formatMachineName } from "#schema/machine-name.ts";
import { formatCount } from "#schema/numbers.ts";
import type { confirmDeviceAuthorizationFormRules } from "#schema/protocol.ts";
import { paths } from "#web/platform/paths.ts";
import {
  type DeviceAuthorizationQuery,
  useConfirmDeviceAuthorizationMutation,
  useDenyDeviceAuthorizationMutation,
} from "#web/generated/graphql.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import { FactGrid } from "#web/ui/fact-cards.tsx";
import { Callout } from "#web/ui/callout.tsx";
import { AppForm, INVALID_FORM, useAppForm } from "#web/ui/form/app-form.tsx";
import { CheckboxField, SelectField } from "#web/ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { formatDateTime } from "#schema/dates.ts";
import { notify } from "#web/platform/notifications.ts";
import { getErrorCode } from "#web/platform/server-error.ts";
import type { Progress } from "./sign-in-activation.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { useField } from "#web/ui/form/use-field.tsx";
import { describePeriodEnd, formatDevicesInUse } from "#web/licensing/licences/licence-expiry.tsx";

const loadRules = () => import("#schema/protocol.ts").then((file) => file.confirmDeviceAuthorizationFormRules);

type Values = InferType<typeof confirmDeviceAuthorizationFormRules>;

const MISSING_DEVICE = "Please choose the device to replace.";
const FALLBACK = "Unable to save your decision. Please try again.";

interface DeviceQuestionProps {
  found: DeviceAuthorizationQuery;
  onDecided: (progress: Progress) => void;
  /** Reads the device and the licences again, which have changed since. */
  onOutdated: () => Promise<void>;
  onStartAgain: () => void;
}

/** Shows a device that wants to be activated. The customer chooses a licence and confirms, or denies the device. */
export function DeviceConfirmation({ found, onDecided, onOutdated, onStartAgain }: DeviceQuestionProps) {
  const { deviceAuthorization: machine, me } = found;
  const { userCode, isSameNetwork, licenceIdsWithPlace, deactivationsRemaining } = machine;
  const [confirm] = useConfirmDeviceAuthorizationMutation();
  const [deny] = useDenyDeviceAuthorizationMutation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  const licences = me.licences.filter(({ status }) => status === "ACTIVE");
  const likely =
    licences.find(({ id }) => licenceIdsWithPlace.includes(id)) ?? (licences.length === 1 ? licences[0] : undefined);
  const form = useAppForm(loadRules, {
    defaultValues: { licenceId: likely?.id ?? "", replaceDeviceId: "", isSameNetwork, startedHere: false },
  });
  const { control } = form;
  const chosenId = useWatch({ control, name: "licenceId" });
  const chosen = licences.find(({ id }) => id === chosenId);
  const isFull = chosen && chosen.devices.length >= chosen.numberOfMachines && !licenceIdsWithPlace.includes(chosen.id);

  const canReplace = deactivationsRemaining > 0;

  async function submitConfirmation({ licenceId, replaceDeviceId }: Values) {
    // A device chosen before the licence was changed isn't on this licence.
    const replaces = chosen?.devices.some(({ id }) => id === replaceDeviceId) === true;
    if (isFull && canReplace && !replaces) {
      form.setError("replaceDeviceId", { type: "missing", message: MISSING_DEVICE }, { shouldFocus: true });
      return notify.error(INVALID_FORM);
    }
    const replaced = isFull && replaces ? { replaceDeviceId } : {};
    try {
      const { data } = await confirm({ variables: { input: { userCode, licenceId, ...replaced } } });
      if (data) onDecided(data.confirmDeviceAuthorization);
    } catch (error) {
      if (getErrorCode(error) === "BAD_USER_INPUT") await onOutdated();
      throw error;
    }
  }

  async function denyDevice() {
    notify.clearErrors();
    try {
      const { data } = await deny({ variables: { userCode } });
      if (data) onDecided(data.denyDeviceAuthorization);
    } catch (error) {
      notify.failure(error, FALLBACK);
      if (getErrorCode(error) === "BAD_USER_INPUT") onStartAgain();
    }
  }

  return (
    <Stack component="section" gap="lg" aria-labelledby="device-question" data-break="anywhere">
      <Title order={2} size="h3" id="device-question" ref={heading} tabIndex={-1}>
        Activate {machine.machineName}?
      </Title>
      {machine.state === "REFUSED" && (
        <Callout tone="critical">
          <p>{machine.message} Please choose again.</p>
        </Callout>
      )}
      <MachineFacts machine={machine} />
      <Callout tone={isSameNetwork ? "notice" : "critical"}>
        <p>
          <b>Only confirm if you just started this on your own device.</b> We will never ask you to confirm a code by
          email or phone.
          {!isSameNetwork &&
            " This device is on a different network from your browser. You may be using a VPN or a proxy, or it may be someone else's device."}
        </p>
      </Callout>
      <AppForm form={form} onSubmit={submitConfirmation} fallback={FALLBACK} label="Activate a device">
        {licences.length === 0 ? (
          <Stack align="flex-start" gap="sm">
            <Text c="dimmed">You have no active licence for this device.</Text>
            <LinkButton variant="default" to={paths.myAccount.href()}>
              Go to My Account
            </LinkButton>
          </Stack>
        ) : (
          <LicenceChoice control={control} licences={licences} activatedOn={licenceIdsWithPlace} />
        )}
        {isFull &&
          (!canReplace ? (
            <Alert color="red">
              This licence is in use on as many devices as it allows, and you have no deactivations left. Please contact
              support.
            </Alert>
          ) : (
            <SelectField
              control={control}
              name="replaceDeviceId"
              label="Device to replace"
              hint={`This licence is in use on as many devices as it allows, so one device will be deactivated. You have ${formatCount(deactivationsRemaining, "deactivation")} left.`}
              placeholder="Choose a device"
              options={chosen.devices.map((device) => ({
                value: device.id,
                label: `${formatMachineName(device.machineName)}, last seen ${formatDateTime(device.lastSeenAt)}`,
              }))}
            />
          ))}
        {licences.length > 0 && !isSameNetwork && (
          <CheckboxField
            control={control}
            name="startedHere"
            label={`I started this myself on ${machine.machineName}, and it shows the code ${userCode}.`}
          />
        )}
        <FormActions>
          {licences.length > 0 && <SubmitButton>Confirm</SubmitButton>}
          <BusyButton variant="default" onPress={denyDevice}>
            This wasn't me
          </BusyButton>
        </FormActions>
      </AppForm>
    </Stack>
  );
}

/** Details of the device. The code comes first, for comparison with the one in the add-in. */
function MachineFacts({ machine }: { machine: DeviceAuthorizationQuery["deviceAuthorization"] }) {
  const { userCode, machineName, osUser, addInVersion, ip, requestedAt } = machine;
  return (
    <>
      <Paper bg="var(--xp-sunken)" px="lg" py="sm" radius="lg">
        <Text size="sm" c="dimmed">
          Code in the add-in
        </Text>
        <Text ff="monospace" fz="1.5rem" fw={600} lts="0.08em">
          {userCode}
        </Text>
      </Paper>
      <FactGrid
        facts={[
          ["Device", machineName],
          osUser && ["Windows user", osUser],
          ["Add-in version", addInVersion],
          ["IP address", ip],
          ["Requested", <Moment key="requested" at={requestedAt} />],
        ]}
        minWidth="11rem"
      />
    </>
  );
}

type Licence = DeviceAuthorizationQuery["me"]["licences"][number];

/** Radio group of the customer's active licences, with the number of devices in use on each. */
function LicenceChoice(props: {
  control: Control<Values>;
  licences: readonly Licence[];
  /** Ids of the licences on which the device is already activated. */
  activatedOn: readonly string[];
}) {
  const { control, licences, activatedOn } = props;
  const { value, frame, box } = useField({ control, name: "licenceId", label: "Licence" });
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
                // The form moves the focus here.
                data-invalid={box["aria-invalid"]}
                aria-describedby={error === undefined ? undefined : `${box.id}-error`}
              />
              <Stack gap={0} flex="1 1 12rem" data-break="anywhere">
                <b>
                  {licence.product} {licence.subscriptionLevel}
                </b>
                <Text span size="sm" c="dimmed">
                  {formatDevicesInUse(licence.devices.length, licence.numberOfMachines)} · {formatEnd(licence)}
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
