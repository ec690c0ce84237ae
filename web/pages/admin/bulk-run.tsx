import { useParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { BulkRunDetails } from "#web/staff/bulk/bulk-run-details.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** One piece of bulk work: the dry run, its progress, its result. */
export default function BulkRunPage() {
  const { id = "" } = useParams();
  return (
    <PageLayout title="Bulk Run" back={{ to: paths.bulkWork.href(), label: "Bulk Work" }}>
      <BulkRunDetails key={id} id={id} />
    </PageLayout>
  );
}
