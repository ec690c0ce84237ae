import { Text } from "@mantine/core";
import type { UseFormReturn } from "react-hook-form";
import {
  licenceCategories,
  licenceFields,
  licenceTypes,
  needsProjectTerm,
  updateLicenceRules,
  type UpdateLicenceValues,
  updateProjectLicenceRules,
  updateTrialFormRules,
} from "#schema/licence.ts";
import { findLabel, toValue } from "#schema/closed-list.ts";
import { formatIsoDay } from "#schema/dates.ts";
import { toInput } from "#schema/field.ts";
import { formatNumber } from "#schema/numbers.ts";
import { type ManagedLicenceFragment, useUpdateLicenceMutation } from "#web/generated/graphql.ts";
import { refreshUserSummary } from "#web/people/refresh-user-summary.ts";
import { Callout } from "#web/ui/callout.tsx";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { SelectField, TextField } from "#web/ui/form/fields.tsx";
import { bindFields } from "#web/ui/form/use-field.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { FieldColumns } from "#web/ui/form/form-parts.tsx";

const formatUtcDay = (iso: string) => formatIsoDay(iso, "UTC");

interface UpdateLicenceDialogProps extends DialogControl {
  userId: string;
  licence: ManagedLicenceFragment;
}

/** Dialog that changes the expiry date, category, purchase order, project term and, for a trial, conversions of a licence. */
export default function UpdateLicenceDialog({ userId, licence, ...dialog }: UpdateLicenceDialogProps) {
  const [update, { client }] = useUpdateLicenceMutation();
  const isProject = needsProjectTerm(licence.licenceType);
  const { licenceCategory, purchaseOrderNumber, projectTerm, expiresAt, usageLimit, usageCount } = licence;
  const hasConversions = typeof usageLimit === "number";
  const rules = isProject ? updateProjectLicenceRules : updateLicenceRules;
  const form = useAppForm(hasConversions ? updateTrialFormRules : rules, {
    defaultValues: {
      expiryDate: formatUtcDay(expiresAt),
      licenceCategory: toValue(licenceCategories, licenceCategory),
      purchaseOrderNumber: purchaseOrderNumber ?? "",
      projectTerm: projectTerm ?? "",
      usageLimit: usageLimit ?? "",
    } as never,
  }) as unknown as UseFormReturn<UpdateLicenceValues>;
  const { control } = form;
  const field = bindFields(licenceFields, control);

  async function submit(values: UpdateLicenceValues) {
    const day = values.expiryDate.toISOString();
    // If the day is unchanged, keep its time of day, because payments set an exact expiry time.
    const expiryDate = formatUtcDay(day) === formatUtcDay(expiresAt) ? expiresAt : day;
    const began = { expiresAt, licenceCategory, purchaseOrderNumber, projectTerm, usageLimit };
    await update({
      variables: { userId, licenceId: licence.id, input: { ...toInput(licenceFields, values), expiryDate }, began },
    });
  }

  return (
    <FormDialog
      {...dialog}
      title="Update licence"
      size="lg"
      form={form}
      onSubmit={submit}
      success="You have successfully updated the licence."
      onDone={() => refreshUserSummary(client)}
      fallback="Unable to update the licence."
    >
      <Text c="dimmed">
        <Text span fw={600} c="bright">
          {licence.product} {licence.subscriptionLevel}
        </Text>{" "}
        {licence.supportCode} · {findLabel(licenceTypes, licence.licenceType)}
      </Text>
      {licence.isSubscribed && (
        <Callout tone="notice">
          <p>A subscription renews this licence. Its next payment will change the expiry date again.</p>
        </Callout>
      )}
      <FieldColumns>
        <DateField {...field("expiryDate")} hint="The last day, in UTC" />
        <SelectField {...field("licenceCategory")} options={licenceCategories} />
      </FieldColumns>
      <TextField {...field("purchaseOrderNumber")} optional maxLength={100} />
      {hasConversions && (
        <TextField
          control={control}
          name="usageLimit"
          label="Conversions"
          inputMode="numeric"
          hint={`${formatNumber(usageCount)} used. A trial ends when all are used.`}
        />
      )}
      {isProject && <TextField {...field("projectTerm")} maxLength={100} />}
    </FormDialog>
  );
}
