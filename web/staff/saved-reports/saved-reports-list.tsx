import { Badge } from "@mantine/core";
import { IconDownload, IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { findLabel, reportTypes } from "#schema/catalogue.ts";
import { reportPeriods, reportSchedules } from "#schema/saved-reports.ts";
import { ReportProgress } from "#web/ui/report-download/report-progress.tsx";
import { useReportDownload } from "#web/ui/report-download/use-report-download.ts";
import { type SavedReportFieldsFragment, useSavedReportsQuery } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { lazyDialog } from "#web/ui/lazy-part.tsx";
import { formatDateTime } from "#schema/dates.ts";
import { formatError } from "#web/platform/server-error.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import type { EditedReport } from "./saved-report-dialog.tsx";
import classes from "./saved-reports.module.css";

const SavedReportDialog = lazyDialog(
  () => import("./saved-report-dialog.tsx").then((file) => file.SavedReportDialog),
  ({ edited }) => edited !== null,
);

const DeleteSavedReportDialog = lazyDialog(
  () => import("./delete-saved-report-dialog.tsx").then((file) => file.DeleteSavedReportDialog),
  ({ report }) => report !== null,
);

type Saved = SavedReportFieldsFragment;

const getLabel = (labels: Readonly<Record<string, string>>, value: string) => labels[value] ?? value;

const stateLabels: Record<string, string> = {
  writing: "In progress",
  mailed: "Emailed",
  retrying: "Failed, retrying",
  failed: "Failed",
};

const formatLastRun = ({ lastRunState, lastRunAt }: Saved) =>
  lastRunState
    ? `${getLabel(stateLabels, lastRunState)} ${lastRunAt ? formatDateTime(lastRunAt) : ""}`.trim()
    : "Never";

const columns: readonly Column<Saved>[] = [
  {
    title: "Name",
    text: ({ name }) => name,
    render: ({ name }) => <span className={classes.name}>{name}</span>,
  },
  {
    title: "Report",
    text: ({ reportType, format }) => `${findLabel(reportTypes, reportType)} ${format.toUpperCase()}`,
    render: ({ reportType, format }) => (
      <span className={classes.two}>
        {findLabel(reportTypes, reportType)} <small>{format.toUpperCase()}</small>
      </span>
    ),
  },
  { title: "Period", text: ({ period }) => getLabel(reportPeriods, period) },
  {
    title: "Schedule",
    text: ({ schedule }) => getLabel(reportSchedules, schedule),
    render: ({ schedule, nextRunAt }) => (
      <span className={classes.two} data-quiet={schedule === "NONE" || undefined}>
        {getLabel(reportSchedules, schedule)} {nextRunAt && <small>Next {formatDateTime(nextRunAt)}</small>}
      </span>
    ),
  },
  {
    title: "Last run",
    text: formatLastRun,
    sortBy: ({ lastRunAt }) => lastRunAt ?? "",
    render: LastRun,
  },
];

function LastRun({ lastRunState, lastRunAt, lastFailure }: Saved) {
  if (!lastRunState) return <span className={classes.never}>Never</span>;
  const hasFailed = lastRunState === "retrying" || lastRunState === "failed";
  return (
    <span className={classes.two}>
      <span>
        <Badge color={hasFailed ? "red" : lastRunState === "writing" ? "marigold" : "spruce"}>
          {getLabel(stateLabels, lastRunState)}
        </Badge>
      </span>{" "}
      {lastRunAt && lastRunState !== "writing" && <small>{formatDateTime(lastRunAt)}</small>}{" "}
      {hasFailed && lastFailure && <small className={classes.failure}>{lastFailure}</small>}
    </span>
  );
}

const icon = { size: 17, stroke: 1.8, "aria-hidden": true } as const;

const blank: EditedReport = {
  id: null,
  name: "",
  reportType: "",
  period: "ONE_MONTH",
  format: "xlsx",
  schedule: "NONE",
};

export interface SavedReportsListProps {
  /** Values of the report form to save. Null if the user hasn't chosen to save them. */
  offered: Partial<EditedReport> | null;
  /** Called when the dialog for `offered` closes. */
  onOfferDone: () => void;
}

/** Lists the user's saved reports, with actions to download, edit and delete them. */
export function SavedReportsList({ offered, onOfferDone }: SavedReportsListProps) {
  const { data, error, refetch } = useSavedReportsQuery({ fetchPolicy: "cache-and-network" });
  const [chosen, setChosen] = useState<EditedReport | null>(null);
  const [reportToDelete, setReportToDelete] = useState<Saved | null>(null);
  const download = useReportDownload();
  const edited = offered ? { ...blank, ...offered } : chosen;
  const reload = () => void refetch().catch(() => undefined);

  function close() {
    setChosen(null);
    onOfferDone();
  }

  function startDownload({ name, reportType, startDate, endDate, format }: Saved) {
    const request = { reportType, startDate, endDate, format };
    download.start(`Generating report: ${name}`, "/v1/reports/download-report", request);
  }

  return (
    <section className={classes.list} aria-labelledby="saved-reports">
      <div className={classes.head}>
        <h2 id="saved-reports">Saved reports</h2>
        <p>Only you can see these reports. Scheduled reports are emailed to you as a link.</p>
      </div>
      <ReportProgress download={download} />
      <DataTable
        name="Saved reports"
        columns={columns}
        rows={data?.savedReports}
        rowId={({ id }) => id}
        pageSize={10}
        rowLabel={({ name }) => name}
        actions={(report) => [
          { label: "Download now", icon: <IconDownload {...icon} />, onSelect: () => startDownload(report) },
          {
            label: "Edit",
            icon: <IconPencil {...icon} />,
            onSelect: () => setChosen({ ...report, reportType: String(report.reportType) }),
          },
          { label: "Delete", icon: <IconTrash {...icon} />, danger: true, onSelect: () => setReportToDelete(report) },
        ]}
        toolbar={
          <Button
            variant="default"
            leftSection={<IconPlus size={18} stroke={1.8} aria-hidden="true" />}
            onClick={() => setChosen(blank)}
          >
            Save a report
          </Button>
        }
        emptyMessage="No saved reports."
        error={error && !data ? formatError(error, "Unable to load the saved reports.") : undefined}
        onRetry={reload}
      />
      <SavedReportDialog edited={edited} onClose={close} onSaved={reload} />
      <DeleteSavedReportDialog report={reportToDelete} onClose={() => setReportToDelete(null)} onSettled={reload} />
    </section>
  );
}
