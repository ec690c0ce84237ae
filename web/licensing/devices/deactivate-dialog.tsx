import { useWatch } from "react-hook-form";
import { deactivationReasons, ResultCode } from "#schema/catalogue.ts";
import { shownMachineName } from "#schema/machine-name.ts";
import { deactivateDeviceFormRules, otherReason } from "#schema/rules/device.ts";
import { useSession } from "#web/platform/session.ts";
import { type DeactivateDeviceMutation, useDeactivateDeviceMutation } from "#web/generated/graphql.ts";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { SelectField, TextAreaField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import { useLast } from "#web/ui/use-last.ts";
import { type ShownDevice, Utc } from "./device-cards.tsx";
import classes from "./deactivate-dialog.module.css";
import { Button } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";

/** How freeing a device ended. */
export type Deactivation = DeactivateDeviceMutation["deactivateDevice"];

type AskedDevice = Pick<ShownDevice, "id" | "machineName" | "offlineUntil">;

interface DeactivateDialogProps {
  /** Null while the dialog is closed. */
  device: AskedDevice | null;
  onCancel: () => void;
  /** The api evaluated the question; a refusal is an answer too. */
  onAnswered: (deactivation: Deactivation) => void;
}

/** Asks for the reason and frees the device. */
export function DeactivateDialog({ device, onCancel, onAnswered }: DeactivateDialogProps) {
  const shown = useLast(device);
  return (
    <AppDialog opened={device !== null} title="Deactivate Device" onClose={onCancel}>
      {shown && <DeactivateForm device={shown} onCancel={onCancel} onAnswered={onAnswered} />}
    </AppDialog>
  );
}

interface Values {
  reason: string;
  otherReason?: string | undefined;
}

function DeactivateForm({ device, onCancel, onAnswered }: DeactivateDialogProps & { device: AskedDevice }) {
  const isAdmin = useSession()?.claims.role === "admin";
  const [deactivate] = useDeactivateDeviceMutation();
  const form = useAppForm(deactivateDeviceFormRules, { defaultValues: { reason: "", otherReason: "" } });
  const { control } = form;
  const inOwnWords = useWatch({ control, name: "reason" }) === otherReason;

  async function send(values: Values) {
    const reason = values.reason === otherReason ? (values.otherReason ?? "") : values.reason;
    const { data } = await deactivate({ variables: { input: { deviceId: device.id, reason } } });
    if (!data) return;
    const { deactivateDevice: answer } = data;
    if (answer.resultCode === ResultCode.VALID) notify.success(answer.message);
    else if (answer.resultCode !== ResultCode.DEACTIVATION_LIMIT_EXCEEDED) notify.error(answer.message);
    onAnswered(answer);
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to deactivate the device." label="Deactivate Device">
      <p className={classes.question}>Are you sure you want to deactivate this device? This cannot be undone.</p>
      <p className={classes.device}>{shownMachineName(device.machineName)}</p>
      {device.offlineUntil && (
        <Callout tone="critical">
          <p>
            It holds a licence file that works without a connection until <Utc at={device.offlineUntil} />. Freeing its
            place does not end that file: until then the licence may run on one machine more than it allows.
          </p>
        </Callout>
      )}
      <SelectField
        control={control}
        name="reason"
        label="Reason"
        placeholder="Choose a reason"
        options={isAdmin ? [...deactivationReasons, otherReason] : deactivationReasons}
      />
      {isAdmin && inOwnWords && <TextAreaField control={control} name="otherReason" label="Other Reason" rows={3} />}
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton danger>Yes</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
