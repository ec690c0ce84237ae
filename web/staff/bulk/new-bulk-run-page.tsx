import { paths } from "#web/platform/paths.ts";
import { NewBulkRun } from "./new-bulk-run.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page with the form that creates a bulk run. */
export default function NewBulkRunPage() {
  return (
    <PageLayout
      title={paths.newBulkRun.title}
      lead="The rows are checked first. You then see the planned change of each row. Nothing changes until you start the run."
      back={{ to: paths.bulkWork.href(), label: "Bulk Work" }}
      width="form"
      card
    >
      <NewBulkRun />
    </PageLayout>
  );
}
