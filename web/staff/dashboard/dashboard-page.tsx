import { useSearchParams } from "react-router-dom";
import { vendorTimeName } from "#schema/days.ts";
import { Dashboard } from "./dashboard.tsx";
import { readDays } from "./dashboard-texts.ts";
import { PeriodChoice } from "./period-choice.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Dashboard page. The URL contains the period. */
export default function DashboardPage() {
  const [params, setParams] = useSearchParams();
  const days = readDays(params);
  return (
    <PageLayout
      title={paths.dashboard.title}
      lead={`Select a figure to see its records. Days are in ${vendorTimeName}. Figures include today so far.`}
      actions={<PeriodChoice days={days} onChoose={(value) => setParams({ days: String(value) }, { replace: true })} />}
    >
      <Dashboard days={days} />
    </PageLayout>
  );
}
