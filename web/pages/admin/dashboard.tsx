import { useSearchParams } from "react-router-dom";
import { sellerTime } from "#schema/days.ts";
import { paths } from "#web/platform/paths.ts";
import { Dashboard } from "#web/staff/dashboard/dashboard.tsx";
import { daysIn } from "#web/staff/dashboard/dashboard-words.ts";
import { PeriodChoice } from "#web/staff/dashboard/period-choice.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Dashboard page. The URL contains the period. */
export default function DashboardPage() {
  const [params, setParams] = useSearchParams();
  const days = daysIn(params);
  return (
    <PageLayout
      title="Dashboard"
      lead={`Select a figure to see its records. Days are in ${sellerTime}. Figures include today so far.`}
      back={{ to: paths.admin.href(), label: "Admin" }}
      actions={<PeriodChoice days={days} onChoose={(value) => setParams({ days: String(value) }, { replace: true })} />}
    >
      <Dashboard days={days} />
    </PageLayout>
  );
}
