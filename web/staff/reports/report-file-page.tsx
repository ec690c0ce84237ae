import { useLocation } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { ReportFile } from "#web/staff/saved-reports/report-file.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page opened by the link in a scheduled report's email. Signed-out users must sign in first. */
export default function ReportFilePage() {
  const token = new URLSearchParams(useLocation().search).get("t") ?? "";
  return (
    <PageLayout title={paths.reportFile.title} back={{ to: paths.reports.href(), label: "Reports" }} width="form" card>
      <ReportFile token={token} />
    </PageLayout>
  );
}
