import { toInput } from "#schema/field.ts";
import {
  reportPeriods,
  reportSchedules,
  savedReportFields,
  savedReportRules,
  type SavedReportValues,
} from "#schema/saved-report.ts";
import { vendorTimeName } from "#schema/days.ts";
import { formatOptions, listTypeOptions } from "#web/staff/reports/report-choice.ts";
import {
  type SavedReportFieldsFragment,
  useSaveReportMutation,
  useUpdateSavedReportMutation,
} from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { SelectField, TextField } from "#web/ui/form/fields.tsx";
import { bindFields } from "#web/ui/form/use-field.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { FieldColumns } from "#web/ui/form/form-parts.tsx";
import type { ReportFormat } from "#schema/report.ts";

/** Initial values of the dialog: a saved report, or a report to save. */
export type EditedReport = Pick<SavedReportFieldsFragment, "name" | "period" | "schedule"> & {
  id: string | null;
  format: ReportFormat;
  /** Report type as a string. Empty if none is selected. */
  reportType: string;
};

interface SavedReportDialogProps extends DialogControl {
  /** A report without ID will be created. */
  edited: EditedReport;
  onSaved: () => void;
}

/** Creates or updates a saved report. */
export default function SavedReportDialog({ edited, onSaved, ...dialog }: SavedReportDialogProps) {
  const { id, ...start } = edited;
  const [save] = useSaveReportMutation();
  const [update] = useUpdateSavedReportMutation();
  // The form rules convert the type to a number.
  const form = useAppForm(savedReportRules, { defaultValues: start as never });
  const field = bindFields(savedReportFields, form.control);

  async function submit({ name, reportType, period, format, schedule }: SavedReportValues) {
    const input = toInput(savedReportFields, { name, reportType, period, format, schedule });
    if (id) await update({ variables: { id, input } });
    else await save({ variables: { input } });
  }

  return (
    <FormDialog
      {...dialog}
      title={id ? "Update saved report" : "Save a report"}
      size="lg"
      form={form}
      onSubmit={submit}
      success={id ? "The saved report has been updated." : "The report has been saved."}
      onDone={onSaved}
      fallback={id ? "Unable to update the saved report." : "Unable to save the report."}
    >
      <TextField {...field("name")} autoComplete="off" maxLength={80} focusFirst />
      <FieldColumns>
        <SelectField {...field("reportType")} options={listTypeOptions()} placeholder="Choose a report" />
        <SelectField {...field("format")} options={formatOptions} />
      </FieldColumns>
      <FieldColumns>
        <SelectField {...field("period")} hint="Relative to the current date" options={reportPeriods} />
        <SelectField
          {...field("schedule")}
          hint={`Emailed to you after midnight, ${vendorTimeName}`}
          options={reportSchedules}
        />
      </FieldColumns>
      <p>Scheduled reports are emailed to you as a link. The link works for 7 days, and only for you.</p>
    </FormDialog>
  );
}
