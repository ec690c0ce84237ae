import { DefaultView } from "#web/ui/lists/default-view.tsx";
import { paths } from "#web/platform/paths.ts";
import { BulkRunsTable } from "./bulk-runs-table.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page listing all bulk runs. */
export default function BulkWorkPage() {
  return (
    <PageLayout
      title={paths.bulkWork.title}
      lead="Import users and licences, or extend and deactivate many licences. Every run is checked row by row first."
      actions={<LinkButton to={paths.newBulkRun.href()}>New bulk run</LinkButton>}
    >
      <DefaultView list="bulk-runs">{(view) => <BulkRunsTable view={view} />}</DefaultView>
    </PageLayout>
  );
}
