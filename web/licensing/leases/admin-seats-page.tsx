import { DefaultView } from "#web/ui/lists/default-view.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { SeatUsageTable, seatFilterParams } from "./seat-usage-table.tsx";

/** Page that shows staff the seats of all concurrent licences. */
export default function AdminSeatsPage() {
  return (
    <PageLayout
      title={paths.adminSeats.title}
      lead="Seats in use on active licences, the fullest first. Open a licence to see who uses its seats."
    >
      <DefaultView list="seats" filters={seatFilterParams}>
        {(view) => <SeatUsageTable view={view} />}
      </DefaultView>
    </PageLayout>
  );
}
