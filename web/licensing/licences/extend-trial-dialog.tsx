import { Text } from "@mantine/core";
import { formatNumber } from "#schema/numbers.ts";
import { extendTrialRules } from "#schema/trial.ts";
import { type ManagedLicenceFragment, useExtendTrialMutation } from "#web/generated/graphql.ts";
import { Moment } from "#web/ui/moment.tsx";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { TextAreaField, TextField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { FieldColumns } from "#web/ui/form/form-parts.tsx";
import { describePeriodEnd } from "./licence-expiry.tsx";

interface ExtendTrialDialogProps extends DialogControl {
  userId: string;
  licence: ManagedLicenceFragment;
  onDone: () => void;
}

/** Dialog that gives a customer more days and conversions of a trial. */
export default function ExtendTrialDialog({ userId, licence, onDone, ...dialog }: ExtendTrialDialogProps) {
  const { expiresAt, usageLimit, usageCount, supportCode } = licence;
  const [extend] = useExtendTrialMutation();
  const form = useAppForm(extendTrialRules, { defaultValues: { days: 14, conversions: 0, reason: "" } });
  const { control } = form;
  const end = describePeriodEnd(licence);

  return (
    <FormDialog
      {...dialog}
      title="Extend Trial"
      form={form}
      onSubmit={(input) =>
        extend({ variables: { userId, licenceId: licence.id, input, terms: { expiresAt, usageLimit } } })
      }
      success="The trial has been extended."
      onDone={onDone}
      fallback="Unable to extend the trial."
      submit="Extend Trial"
    >
      <Text c="dimmed">
        {supportCode}. {end.label} <Moment at={licence.periodEndsAt} as={end.format} />
        {usageLimit !== null && `, ${formatNumber(usageCount)} of ${formatNumber(usageLimit)} conversions used`}. The
        days count from the end of the trial, or from now if it has ended.
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
    </FormDialog>
  );
}
