import { useParams, useSearchParams } from "react-router-dom";
import { vendorTimeName } from "#schema/days.ts";
import { paths } from "#web/platform/paths.ts";
import { ActivityTable } from "./activity-table.tsx";
import { DashboardListTable } from "./dashboard-list-table.tsx";
import { readDays, isDashboardList, formatPeriod, buildReportHref, dashboardListTexts } from "./dashboard-texts.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/message-state.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Type of the report on validations and activations. */
const ACTIVITY_REPORT = 6;

/** Page listing the records counted by a dashboard figure. */
export default function DashboardListPage() {
  const { list = "" } = useParams();
  const [params] = useSearchParams();
  const days = readDays(params);
  const only = params.get("only") ?? undefined;
  const back = { to: `${paths.dashboard.href()}?days=${days}`, label: "Dashboard" };
  const renderReportLink = (type: number) => (
    <LinkButton variant="default" to={buildReportHref(type, days)}>
      Open as report
    </LinkButton>
  );
  if (list === "activity")
    return (
      <PageLayout
        title="Activity by day"
        lead={`Licence requests of add-ins in the ${formatPeriod(days)}, latest day first. Days are in ${vendorTimeName}.`}
        back={back}
        actions={renderReportLink(ACTIVITY_REPORT)}
      >
        <ActivityTable days={days} />
      </PageLayout>
    );
  if (!isDashboardList(list))
    return (
      <PageLayout title={paths.dashboardList.title} back={back}>
        <EmptyState message="This list doesn't exist." />
      </PageLayout>
    );
  const { title, lead, reportType } = dashboardListTexts[list];
  return (
    <PageLayout
      title={title}
      lead={`${lead.replace("{period}", formatPeriod(days))}${only ? ` Filtered by ${only}.` : ""}`}
      back={back}
      actions={reportType && renderReportLink(reportType)}
    >
      <DashboardListTable key={list} list={list} days={days} only={only} />
    </PageLayout>
  );
}
