import { useSearchParams } from "react-router-dom";
import { sellerTime } from "#schema/days.ts";
import { paths } from "#web/platform/paths.ts";
import { Dashboard } from "#web/staff/dashboard/dashboard.tsx";
import { daysIn } from "#web/staff/dashboard/dashboard-words.ts";
import { PeriodChoice } from "#web/staff/dashboard/period-choice.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** How the business goes. The period stands in the address. */
export default function DashboardPage() {
  const [params, setParams] = useSearchParams();
  const days = daysIn(params);
  return (
    <PageLayout
      title="Dashboard"
      lead={`Each figure leads to what it counts. Days are in ${sellerTime}, and today counts so far.`}
      back={{ to: paths.admin.href(), label: "Admin" }}
      actions={<PeriodChoice days={days} onChoose={(value) => setParams({ days: String(value) }, { replace: true })} />}
    >
      <Dashboard days={days} />
    </PageLayout>
  );
}
