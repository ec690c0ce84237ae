import { Button, Grid, Group, Paper, Stack, Text } from "@mantine/core";
import { type FocusEvent, useEffect, useRef, useState } from "react";
import {
  findQuickRange,
  formatOptions,
  getInitialChoice,
  listTypeOptions,
  quickRanges,
  rememberChoice,
  type ReportChoice,
  type ReportRequest,
  toReportRequest,
} from "./report-choice.ts";
import { ReportPreview } from "./report-preview.tsx";
import { type ReportSaver, SavedReportsList } from "#web/staff/saved-reports/saved-reports-list.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { ToggleButton } from "#web/ui/toggle-button.tsx";
import { IconBookmark, IconDownload } from "@tabler/icons-react";
import { type FieldPath, useWatch } from "react-hook-form";
import { useSearchParams } from "react-router-dom";
import { reportRules, reportTypes, type ReportValues } from "#schema/report.ts";
import { findLabel } from "#schema/closed-list.ts";
import { vendorTimeName } from "#schema/days.ts";
import { getPeriodDays, type ReportPeriod, reportPeriods } from "#schema/saved-report.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { SelectField } from "#web/ui/form/fields.tsx";
import { FieldColumns, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { useReportDownload } from "#web/ui/report-download/use-report-download.tsx";

/** Page where staff preview, download, save and schedule reports. */
export default function ReportsPage() {
  const [request, setRequest] = useState<ReportRequest | null>(null);
  const saver = useRef<ReportSaver>(null);
  const save = (choice: ReportChoice) =>
    saver.current?.offer({
      reportType: choice.reportType,
      format: choice.format,
      period: findQuickRange(choice) ?? "ONE_MONTH",
    });
  return (
    <PageLayout
      title={paths.reports.title}
      lead="Preview and download reports, or have them emailed to you on a schedule."
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 5, xl: 4 }}>
          <Paper withBorder radius="lg" shadow="sm" p="lg">
            <ReportForm onRequest={setRequest} onSave={save} />
          </Paper>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7, xl: 8 }}>
          <ReportPreview asked={request} />
        </Grid.Col>
        <Grid.Col span={12}>
          <SavedReportsList ref={saver} />
        </Grid.Col>
      </Grid>
    </PageLayout>
  );
}

interface ReportFormProps {
  /** Called when another report is requested, or with null while the form is invalid. */
  onRequest: (request: ReportRequest | null) => void;
  /** Called when the user wants to save the report. */
  onSave: (choice: ReportChoice) => void;
}

/** Delay in milliseconds before a preview is requested, so that no request is sent between typing two dates. */
const REQUEST_DELAY_MS = 250;

/** Form for the report type, dates and format. The report can be downloaded once the form is valid. */
function ReportForm({ onRequest, onSave }: ReportFormProps) {
  const start = useRef<ReportChoice>(null);
  const [address] = useSearchParams();
  start.current ??= getInitialChoice(address);
  const form = useAppForm(reportRules, { defaultValues: start.current as never });
  const { control, setValue, trigger, getValues } = form;
  // The form keeps days as typed. The form rules convert them to dates.
  const choice = useWatch({ control }) as unknown as ReportChoice;
  const request = toReportRequest(choice);
  const download = useReportDownload();
  const range = findQuickRange(choice);

  const key = request && JSON.stringify(request);
  useEffect(() => {
    if (key === null) return onRequest(null);
    const timer = setTimeout(() => onRequest(JSON.parse(key) as ReportRequest), REQUEST_DELAY_MS);
    return () => clearTimeout(timer);
  }, [key, onRequest]);
  useEffect(() => {
    const { reportType, startDate, endDate, format } = choice;
    if (key !== null) rememberChoice({ reportType, startDate, endDate, format });
  }, [key, choice]);

  // The download button is hidden while the form is invalid, so fields are validated when they are cleared or left.
  // Errors disappear as soon as they are fixed.
  const validateField = (name: string) => void trigger(name as FieldPath<ReportValues>);
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ name, values }) => {
          if (!name) return;
          const { invalid } = form.getFieldState(name as FieldPath<ReportValues>);
          if (invalid || (values as Record<string, unknown>)[name] === "") validateField(name);
        },
      }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `validateField` is as stable as the form
    [form],
  );
  function validateOnBlur({ target }: FocusEvent<HTMLElement>) {
    const { name } = target as HTMLInputElement;
    if (name) validateField(name);
  }

  function applyRange(period: ReportPeriod) {
    const { startDate, endDate } = getPeriodDays(period, new Date());
    setValue("startDate", startDate as never, { shouldDirty: true });
    setValue("endDate", endDate as never, { shouldDirty: true });
    void trigger(["startDate", "endDate"]);
  }

  function startDownload({ reportType, format }: ReportValues) {
    const { startDate, endDate } = getValues() as unknown as ReportChoice;
    const label = `Generating report: ${findLabel(reportTypes, reportType)}`;
    download.start(label, "/v1/reports/download-report", { reportType, startDate, endDate, format });
  }

  return (
    <Stack gap="lg" onBlur={validateOnBlur}>
      <AppForm form={form} label="Report" fallback="Unable to download the report." onSubmit={startDownload}>
        <SelectField
          control={control}
          name="reportType"
          label="Report type"
          options={listTypeOptions()}
          placeholder="Choose a report"
        />
        <FieldColumns>
          <DateField control={control} name="startDate" label="Start date" hint={`First day, ${vendorTimeName}`} />
          <DateField control={control} name="endDate" label="End date" hint={`Last day, ${vendorTimeName}`} />
        </FieldColumns>
        <Group gap={6} role="group" aria-label="Quick ranges">
          {quickRanges.map((period) => (
            <ToggleButton key={period} isPressed={range === period} onClick={() => applyRange(period)}>
              {findLabel(reportPeriods, period)}
            </ToggleButton>
          ))}
        </Group>
        <SelectField control={control} name="format" label="Format" options={formatOptions} />
        {request ? (
          <Group gap="xs">
            <SubmitButton>
              <IconDownload size={18} stroke={1.8} aria-hidden="true" /> Download
            </SubmitButton>
            <Button
              variant="default"
              size="md"
              leftSection={<IconBookmark size={18} stroke={1.8} aria-hidden="true" />}
              onClick={() => onSave(getValues() as unknown as ReportChoice)}
            >
              Save this report
            </Button>
          </Group>
        ) : (
          <Text c="dimmed" fz="sm">
            Choose a report type and dates to download the report.
          </Text>
        )}
      </AppForm>
      {download.progress}
    </Stack>
  );
}
