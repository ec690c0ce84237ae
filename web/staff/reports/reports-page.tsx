import { Grid, Paper } from "@mantine/core";
import { useState } from "react";
import { type ReportRequest, findQuickRange, type ReportChoice } from "./report-choice.ts";
import { ReportForm } from "./report-form.tsx";
import { ReportPreview } from "./report-preview.tsx";
import { SavedReportsList } from "#web/staff/saved-reports/saved-reports-list.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page where staff preview, download, save and schedule reports. */
export default function ReportsPage() {
  const [request, setRequest] = useState<ReportRequest | null>(null);
  const [unsaved, setUnsaved] = useState<ReportChoice | null>(null);
  return (
    <PageLayout
      title={paths.reports.title}
      lead="Preview and download reports, or have them emailed to you on a schedule."
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 5, xl: 4 }}>
          <Paper withBorder radius="lg" shadow="sm" p="lg">
            <ReportForm onRequest={setRequest} onSave={setUnsaved} />
          </Paper>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7, xl: 8 }}>
          <ReportPreview asked={request} />
        </Grid.Col>
        <Grid.Col span={12}>
          <SavedReportsList
            offered={
              unsaved && {
                reportType: unsaved.reportType,
                format: unsaved.format,
                period: findQuickRange(unsaved) ?? "ONE_MONTH",
              }
            }
            onOfferDone={() => setUnsaved(null)}
          />
        </Grid.Col>
      </Grid>
    </PageLayout>
  );
}
