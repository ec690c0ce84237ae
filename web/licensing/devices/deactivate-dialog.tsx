import { Text } from "@mantine/core";
import { useWatch } from "react-hook-form";
import { deactivateDeviceFormRules, deactivationReasons, OTHER_REASON } from "#schema/device.ts";
import { formatMachineName } from "#schema/machine-name.ts";
import { useSession } from "#web/platform/session.ts";
import { type DeactivateDeviceMutation, useDeactivateDeviceMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { SelectField, TextAreaField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import type { ShownDevice } from "./device-cards.tsx";
import { Callout } from "#web/ui/callout.tsx";
import { Moment } from "#web/ui/moment.tsx";

export type DeactivationResult = DeactivateDeviceMutation["deactivateDevice"];

type DialogDevice = Pick<ShownDevice, "id" | "machineName" | "offlineUntil">;

interface DeactivateDialogProps extends DialogControl {
  device: DialogDevice;
  /** Called with the result from the API, which can be a refusal. */
  onDone: (deactivation: DeactivationResult) => void;
}

interface Values {
  reason: string;
  otherReason?: string | undefined;
}

/** Dialog for deactivating a device with a reason. */
export default function DeactivateDialog({ device, onDone, ...dialog }: DeactivateDialogProps) {
  const isAdmin = useSession()?.claims.role === "admin";
  const [deactivate] = useDeactivateDeviceMutation();
  const form = useAppForm(deactivateDeviceFormRules, { defaultValues: { reason: "", otherReason: "" } });
  const { control } = form;
  const hasOtherReason = useWatch({ control, name: "reason" }) === OTHER_REASON;

  async function submit(values: Values) {
    const reason = values.reason === OTHER_REASON ? (values.otherReason ?? "") : values.reason;
    const { data } = await deactivate({ variables: { input: { deviceId: device.id, reason } } });
    if (!data) return;
    const { deactivateDevice: result } = data;
    if (result.code === "VALID") notify.success(result.message);
    else if (result.code !== "DEACTIVATION_LIMIT_EXCEEDED") notify.error(result.message);
    dialog.onClose();
    onDone(result);
  }

  return (
    <FormDialog
      {...dialog}
      title="Deactivate device"
      form={form}
      onSubmit={submit}
      fallback="Unable to deactivate the device."
      submit="Deactivate"
      danger
    >
      <Text c="dimmed">Are you sure you want to deactivate this device? This cannot be undone.</Text>
      <Text fw={600} data-break="anywhere">
        {formatMachineName(device.machineName)}
      </Text>
      {device.offlineUntil && (
        <Callout tone="critical">
          <p>
            This device has a licence file that works without a connection until <Moment at={device.offlineUntil} />.
            Deactivating the device does not end that file. Until then, the licence can be used on one more device than
            it allows.
          </p>
        </Callout>
      )}
      <SelectField
        control={control}
        name="reason"
        label="Reason"
        placeholder="Choose a reason"
        options={isAdmin ? [...deactivationReasons, OTHER_REASON] : deactivationReasons}
      />
      {isAdmin && hasOtherReason && (
        <TextAreaField control={control} name="otherReason" label="Other reason" rows={3} />
      )}
    </FormDialog>
  );
}
