import { getCalendarDay } from "#schema/days.ts";
import { statementFormats, statementRules, type StatementValues } from "#schema/money-report.ts";
import { listTaxPeriods, type TaxPeriod } from "#web/billing/tax/tax-periods.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { SelectField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { FieldColumns } from "#web/ui/form/form-parts.tsx";
import { downloadReport } from "#web/ui/report-download/download-report.ts";

interface StatementDialogProps extends DialogControl {
  /** The customer for staff; undefined for the caller's own statement. */
  userId?: string | undefined;
}

/** Returns the days of the financial year until today. */
function getDefaultPeriod(): TaxPeriod {
  const now = new Date();
  const [year] = listTaxPeriods("year", now);
  return { startDate: year?.startDate ?? "", endDate: getCalendarDay(now) };
}

/** Dialog for downloading a statement of a period. */
export default function StatementDialog({ userId, ...dialog }: StatementDialogProps) {
  const form = useAppForm(statementRules, { defaultValues: { ...getDefaultPeriod(), format: "pdf" } });
  const { control } = form;

  async function download(values: StatementValues) {
    if (userId) await downloadReport("/v1/admin/statement/download", { ...values, userId });
    else await downloadReport("/v1/core/accounts/statement/download", values);
    dialog.onClose();
  }

  return (
    <FormDialog
      {...dialog}
      title="Download statement"
      form={form}
      onSubmit={download}
      fallback="Unable to download the statement."
      label="Statement"
      submit="Download"
    >
      <FieldColumns>
        <DateField control={control} name="startDate" label="From" />
        <DateField control={control} name="endDate" label="To" />
      </FieldColumns>
      <SelectField control={control} name="format" label="Format" options={statementFormats} />
    </FormDialog>
  );
}
