import { useState } from "react";
import { paths } from "#web/platform/paths.ts";
import { type ReportRequest, findQuickRange, type ReportChoice } from "#web/staff/reports/report-choice.ts";
import { ReportForm } from "#web/staff/reports/report-form.tsx";
import { ReportPreview } from "#web/staff/reports/report-preview.tsx";
import classes from "#web/staff/reports/reports.module.css";
import { SavedReportsList } from "#web/staff/saved-reports/saved-reports-list.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page where staff preview, download, save and schedule reports. */
export default function ReportsPage() {
  const [request, setRequest] = useState<ReportRequest | null>(null);
  const [unsaved, setUnsaved] = useState<ReportChoice | null>(null);
  return (
    <PageLayout
      title="Reports"
      lead="Preview and download reports, or have them emailed to you on a schedule."
      back={{ to: paths.admin.href(), label: "Admin" }}
    >
      <div className={classes.page}>
        <div className={classes.asking}>
          <ReportForm onRequest={setRequest} onSave={setUnsaved} />
        </div>
        <ReportPreview asked={request} />
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
      </div>
    </PageLayout>
  );
}
