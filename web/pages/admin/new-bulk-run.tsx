import { paths } from "#web/platform/paths.ts";
import { NewBulkRun } from "#web/staff/bulk/new-bulk-run.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** The first step of bulk work: what to do, with which rows. */
export default function NewBulkRunPage() {
  return (
    <PageLayout
      title="New Bulk Run"
      lead="The rows are checked first. You then see what would happen to each, and nothing changes before you start the run."
      back={{ to: paths.bulkWork.href(), label: "Bulk Work" }}
      width="form"
      card
    >
      <NewBulkRun />
    </PageLayout>
  );
}
