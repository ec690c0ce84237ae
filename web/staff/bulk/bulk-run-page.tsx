import { useParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { BulkRunDetails } from "./bulk-run-details.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page for a bulk run: its check, progress and result. */
export default function BulkRunPage() {
  const { id = "" } = useParams();
  return (
    <PageLayout title={paths.bulkRun.title} back={{ to: paths.bulkWork.href(), label: "Bulk Work" }}>
      <BulkRunDetails key={id} id={id} />
    </PageLayout>
  );
}
