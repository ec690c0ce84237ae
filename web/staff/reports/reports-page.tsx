import { Grid, Paper } from "@mantine/core";
import { useRef, useState } from "react";
import { type ReportRequest, findQuickRange, type ReportChoice } from "./report-choice.ts";
import { ReportForm } from "./report-form.tsx";
import { ReportPreview } from "./report-preview.tsx";
import { type ReportSaver, SavedReportsList } from "#web/staff/saved-reports/saved-reports-list.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

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
