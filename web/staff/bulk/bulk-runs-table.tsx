import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import { formatNumber } from "#schema/numbers.ts";
import { bulkKinds } from "#schema/bulk-run.ts";
import { paths } from "#web/platform/paths.ts";
import { type BulkRunFieldsFragment, useBulkRunsQuery } from "#web/generated/graphql.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { DefaultView, SavedViews } from "#web/ui/lists/saved-views.tsx";
import { useRemoteList } from "#web/ui/lists/use-remote-list.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { RunBadge, formatRunState } from "./bulk-state.tsx";
import { findLabel } from "#schema/closed-list.ts";
import { momentColumn } from "#web/ui/table/columns.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

export type BulkRunFields = BulkRunFieldsFragment;

/** Returns the label of a kind of run, such as `Import users`. */
export const formatKind = (kind: string): string => findLabel(bulkKinds, kind);

/** Returns the name of the admin who created a run, without the email that the API appends. */
export const formatAdmin = ({ createdByName }: BulkRunFields): string => createdByName.replace(/ <.*$/, "");

const columns: readonly Column<BulkRunFields>[] = [
  {
    title: "Run",
    text: (run) => `${formatKind(run.kind)} ${run.fileName}`,
    wrap: "anywhere",
    render: (run) => (
      <Stack gap={2} align="flex-start">
        <Anchor component={Link} inherit fw={560} to={paths.bulkRun.href({ id: run.id })}>
          {formatKind(run.kind)}
        </Anchor>
        {run.fileName && (
          <Text span c="dimmed" fz="xs">
            {run.fileName}
          </Text>
        )}
      </Stack>
    ),
  },
  { title: "State", text: formatRunState, render: (run) => <RunBadge run={run} /> },
  { title: "Admin", text: formatAdmin },
  momentColumn("Created", (run) => run.createdAt),
  { title: "Rows", text: (run) => formatNumber(run.planned + run.faulty), align: "right" },
  { title: "Processed", text: (run) => formatNumber(run.done), align: "right" },
  { title: "Skipped or failed", text: (run) => formatNumber(run.faulty + run.failed), align: "right" },
];

/** Lists all bulk runs, newest first. `view` has the parameters of the default view. */
function BulkRunsTable({ view }: { view: URLSearchParams | null }) {
  const list = useUrlList({ sortable: false, rememberAs: "bulk-runs", open: () => view });
  const remote = useRemoteList(list);
  const { data, previousData, error, refetch } = useBulkRunsQuery({
    variables: { filter: { search: remote.search }, ...remote.page },
  });
  const runs = (data ?? previousData)?.bulkRuns;
  return (
    <DataTable
      name="Bulk runs"
      columns={columns}
      remote={remote.toTableList(runs)}
      rows={runs?.rows}
      rowId={(run) => run.id}
      toolbar={<SavedViews name="bulk-runs" list={list} />}
      emptyMessage="No bulk runs."
      error={data ? undefined : error}
      failure="Unable to load the bulk runs."
      onRetry={refetch}
    />
  );
}

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
