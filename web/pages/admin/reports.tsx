import { useState } from "react";
import { paths } from "#web/platform/paths.ts";
import { type AskedReport, rangeOf, type ReportChoice } from "#web/staff/reports/report-choice.ts";
import { ReportForm } from "#web/staff/reports/report-form.tsx";
import { ReportPreview } from "#web/staff/reports/report-preview.tsx";
import classes from "#web/staff/reports/reports.module.css";
import { SavedReportsList } from "#web/staff/saved-reports/saved-reports-list.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Where staff choose, look at, download, save and schedule reports. */
export default function ReportsPage() {
  const [asked, setAsked] = useState<AskedReport | null>(null);
  const [offered, setOffered] = useState<ReportChoice | null>(null);
  return (
    <PageLayout
      title="Reports"
      lead="Lists to count and compare with. Look at the first rows, download them all, or have them mailed to you on a schedule."
      back={{ to: paths.admin.href(), label: "Admin" }}
    >
      <div className={classes.page}>
        <div className={classes.asking}>
          <ReportForm onAsked={setAsked} onSave={setOffered} />
        </div>
        <ReportPreview asked={asked} />
        <SavedReportsList
          offered={
            offered && {
              reportType: offered.reportType,
              format: offered.format,
              period: rangeOf(offered) ?? "ONE_MONTH",
            }
          }
          onOfferDone={() => setOffered(null)}
        />
      </div>
    </PageLayout>
  );
}
