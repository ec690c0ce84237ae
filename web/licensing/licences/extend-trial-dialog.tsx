import { Text } from "@mantine/core";
import { type ExtendTrialValues, extendTrialRules } from "#schema/trial.ts";
import { type ManagedLicenceFragment, useExtendTrialMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { Moment } from "#web/ui/moment.tsx";
import { Button } from "#web/ui/button.tsx";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextAreaField, TextField } from "#web/ui/form/fields.tsx";
import { FieldColumns, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { describePeriodEnd } from "./licence-expiry.tsx";

interface ExtendTrialDialogProps {
  userId: string;
  /** Null while the dialog is closed. */
  licence: ManagedLicenceFragment | null;
  onClose: () => void;
  onDone: () => void;
}

/** Dialog that gives a customer more days and conversions of a trial. */
export function ExtendTrialDialog({ licence, ...props }: ExtendTrialDialogProps) {
  return (
    <AppDialog opened={licence !== null} title="Extend Trial" onClose={props.onClose}>
      {licence && <ExtendTrialForm key={licence.id} licence={licence} {...props} />}
    </AppDialog>
  );
}

function ExtendTrialForm(props: ExtendTrialDialogProps & { licence: ManagedLicenceFragment }) {
  const { userId, licence, onClose, onDone } = props;
  const { expiresAt, usageLimit, usageCount, supportCode } = licence;
  const [extend] = useExtendTrialMutation();
  const form = useAppForm(extendTrialRules, { defaultValues: { days: 14, conversions: 0, reason: "" } });
  const { control } = form;
  const end = describePeriodEnd(licence);

  async function submit(input: ExtendTrialValues) {
    const terms = { expiresAt, usageLimit };
    await extend({ variables: { userId, licenceId: licence.id, input, terms } });
    notify.success("The trial has been extended.");
    onClose();
    onDone();
  }

  return (
    <AppForm form={form} onSubmit={submit} fallback="Unable to extend the trial." label="Extend Trial">
      <Text c="dimmed">
        {supportCode}. {end.label} <Moment at={licence.periodEndsAt} as={end.format} />
        {usageLimit !== null && `, ${usageCount} of ${usageLimit} conversions used`}. The days count from the end of the
        trial, or from now if it has ended.
      </Text>
      <FieldColumns>
        <TextField control={control} name="days" label="Days" inputMode="numeric" optional="unsaid" />
        {usageLimit !== null && (
          <TextField control={control} name="conversions" label="Conversions" inputMode="numeric" optional="unsaid" />
        )}
      </FieldColumns>
      <TextAreaField
        control={control}
        name="reason"
        label="Reason"
        hint="For the audit log. The customer doesn't see it."
        rows={2}
      />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Extend Trial</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
