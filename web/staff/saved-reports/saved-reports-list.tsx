import { Badge, Stack, Text, Title } from "@mantine/core";
import { IconDownload, IconPencil, IconTrash } from "@tabler/icons-react";
import { type ReactNode, type Ref, useImperativeHandle } from "react";
import { reportFormats, reportTypes } from "#schema/report.ts";
import { findLabel, toValue } from "#schema/closed-list.ts";
import { reportPeriods, reportRunStates, reportSchedules } from "#schema/saved-report.ts";
import { useReportDownload } from "#web/ui/report-download/use-report-download.tsx";
import {
  type SavedReportFieldsFragment,
  useDeleteSavedReportMutation,
  useSavedReportsQuery,
} from "#web/generated/graphql.ts";
import { confirmAction, useOpenDialog } from "#web/ui/dialogs.tsx";
import { formatDateTime } from "#schema/dates.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { AddButton } from "#web/ui/table/table-controls.tsx";
import type { EditedReport } from "./saved-report-dialog.tsx";
import { Moment } from "#web/ui/moment.tsx";

type Saved = SavedReportFieldsFragment;

const formatLastRun = ({ lastRunState, lastRunAt }: Saved) =>
  lastRunState
    ? `${findLabel(reportRunStates, lastRunState)} ${lastRunAt ? formatDateTime(lastRunAt) : ""}`.trim()
    : "Never";

const columns: readonly Column<Saved>[] = [
  {
    title: "Name",
    text: ({ name }) => name,
    render: ({ name }) => (
      <Text span inherit fw={560}>
        {name}
      </Text>
    ),
    wrap: "anywhere",
  },
  {
    title: "Report",
    text: ({ reportType, format }) => `${findLabel(reportTypes, reportType)} ${format}`,
    render: ({ reportType, format }) => (
      <Stack gap={2}>
        {findLabel(reportTypes, reportType)} <Note>{format}</Note>
      </Stack>
    ),
  },
  { title: "Period", text: ({ period }) => findLabel(reportPeriods, period) },
  {
    title: "Schedule",
    text: ({ schedule }) => findLabel(reportSchedules, schedule),
    render: ({ schedule, nextRunAt }) => (
      <Stack gap={2} c={schedule === "NONE" ? "dimmed" : undefined}>
        {findLabel(reportSchedules, schedule)}{" "}
        {nextRunAt && (
          <Note>
            Next <Moment at={nextRunAt} />
          </Note>
        )}
      </Stack>
    ),
  },
  { title: "Last run", text: formatLastRun, sortBy: ({ lastRunAt }) => lastRunAt ?? "", render: LastRun },
];

/** The second line of a cell. */
function Note({ c = "dimmed", children }: { c?: string; children: ReactNode }) {
  return (
    <Text span c={c} fz="xs" maw="18rem">
      {children}
    </Text>
  );
}

function LastRun({ lastRunState, lastRunAt, lastFailure }: Saved) {
  if (!lastRunState)
    return (
      <Text span inherit c="dimmed">
        Never
      </Text>
    );
  const hasFailed = lastRunState === "RETRYING" || lastRunState === "FAILED";
  return (
    <Stack gap={2} align="flex-start">
      <Badge color={hasFailed ? "red" : lastRunState === "WRITING" ? "marigold" : "spruce"}>
        {findLabel(reportRunStates, lastRunState)}
      </Badge>{" "}
      {lastRunAt && lastRunState !== "WRITING" && (
        <Note>
          <Moment at={lastRunAt} />
        </Note>
      )}{" "}
      {hasFailed && lastFailure && <Note c="var(--xp-critical)">{lastFailure}</Note>}
    </Stack>
  );
}

const blank: EditedReport = {
  id: null,
  name: "",
  reportType: "",
  period: "ONE_MONTH",
  format: "xlsx",
  schedule: "NONE",
};

/** Opens the dialog that saves a report. */
export interface ReportSaver {
  offer: (report: Partial<EditedReport>) => void;
}

/** Lists the user's saved reports, with actions to download, edit and delete them. */
export function SavedReportsList({ ref }: { ref: Ref<ReportSaver> }) {
  const list = useUrlList({ pageSize: 10 });
  const { data, error, refetch } = useSavedReportsQuery();
  const openDialog = useOpenDialog();
  const [deleteSavedReport] = useDeleteSavedReportMutation();
  const download = useReportDownload();
  const reload = () => void refetch().catch(() => undefined);

  const edit = (edited: EditedReport) =>
    openDialog(() => import("./saved-report-dialog.tsx"), { edited, onSaved: reload });
  useImperativeHandle(ref, () => ({ offer: (report) => edit({ ...blank, ...report }) }));

  function remove({ id, name, schedule }: Saved) {
    const effect = schedule === "NONE" ? "will be deleted" : "will no longer be emailed";
    confirmAction({
      title: "Delete saved report",
      confirmLabel: "Delete",
      danger: true,
      text: `“${name}” ${effect}, and links already emailed will stop working. This can't be undone.`,
      run: () => deleteSavedReport({ variables: { id } }),
      success: "The saved report has been deleted.",
      failure: "Unable to delete the saved report.",
      // After an error too, because the report may have been deleted in another tab.
      onSettled: reload,
    });
  }

  function startDownload({ name, reportType, startDate, endDate, format }: Saved) {
    download.start(`Generating report: ${name}`, "/v1/reports/download-report", {
      reportType: toValue(reportTypes, reportType),
      startDate,
      endDate,
      format: toValue(reportFormats, format),
    });
  }

  return (
    <Stack component="section" gap="sm" mt="md" aria-labelledby="saved-reports">
      <div>
        <Title order={2} size="h3" id="saved-reports">
          Saved reports
        </Title>
        <Text c="dimmed">Only you can see these reports. Scheduled reports are emailed to you as a link.</Text>
      </div>
      {download.progress}
      <DataTable
        name="Saved reports"
        columns={columns}
        rows={data?.savedReports}
        rowId={({ id }) => id}
        list={list}
        rowLabel={({ name }) => name}
        actions={(report) => [
          { label: "Download now", icon: IconDownload, onSelect: () => startDownload(report) },
          {
            label: "Edit",
            icon: IconPencil,
            onSelect: () =>
              edit({
                ...report,
                reportType: String(toValue(reportTypes, report.reportType)),
                format: toValue(reportFormats, report.format),
              }),
          },
          { label: "Delete", icon: IconTrash, danger: true, onSelect: () => remove(report) },
        ]}
        toolbar={
          <AddButton variant="default" onClick={() => edit(blank)}>
            Save a report
          </AddButton>
        }
        emptyMessage="No saved reports."
        error={data ? undefined : error}
        failure="Unable to load the saved reports."
        onRetry={reload}
      />
    </Stack>
  );
}
