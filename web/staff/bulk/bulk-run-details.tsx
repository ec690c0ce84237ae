import { useEffect } from "react";
import { formatRowState, WHOLE_ROW } from "#schema/bulk-run.ts";
import { useBulkRunQuery, type BulkRunQuery, type BulkRunState } from "#web/generated/graphql.ts";
import { EmptyState } from "#web/ui/message-state.tsx";
import { Section, PageLayout } from "#web/ui/page-layout.tsx";
import { useRemoteList } from "#web/ui/lists/use-remote-list.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { BulkRunView } from "./bulk-run-view.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { useParams, Link } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { Anchor, Checkbox, Code, List, Stack, Text } from "@mantine/core";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { RowBadge } from "./bulk-state.tsx";

/** Page for a bulk run: its check, progress and result. */
export default function BulkRunPage() {
  const { id = "" } = useParams();
  return (
    <PageLayout title={paths.bulkRun.title} back={{ to: paths.bulkWork.href(), label: "Bulk Work" }}>
      <BulkRunDetails key={id} id={id} />
    </PageLayout>
  );
}

const POLL_MS = 1_000;

/** Shows a run, its progress and its rows. Refreshes every second while the run is being checked or processed. */
export function BulkRunDetails({ id }: { id: string }) {
  const list = useUrlList({ sortable: false, filters: ["errors"] });
  const onlyFaults = list.params.get("errors") === "only";
  const remote = useRemoteList(list, { queryKey: String(onlyFaults) });
  const query = useBulkRunQuery({ variables: { id, filter: { search: remote.search, onlyFaults }, ...remote.page } });
  const { data, previousData, error, refetch, startPolling, stopPolling } = query;
  const run = (data ?? previousData)?.bulkRun;
  const isWorking = run?.state === "CHECKING" || run?.state === "RUNNING";
  useEffect(() => {
    if (!isWorking) return undefined;
    startPolling(POLL_MS);
    return stopPolling;
  }, [isWorking, startPolling, stopPolling]);

  function showOnlyFaults(isWanted: boolean) {
    const params = new URLSearchParams(list.params);
    if (isWanted) params.set("errors", "only");
    else params.delete("errors");
    list.apply(params);
  }

  if (!run) return <Loaded query={query} failure="Unable to load the bulk run." tall />;
  return (
    <>
      <BulkRunView run={run} />
      {run.rowsRemovedAt && (
        <EmptyState message="The rows were removed 30 days after the run because they contain personal data." />
      )}
      {!run.rowsRemovedAt && run.state !== "REFUSED" && (
        <Section title="Rows">
          <DataTable
            name="Rows"
            columns={listColumns(run.state)}
            remote={remote.toTableList(run.rows)}
            rows={run.rows.rows}
            rowId={(row) => String(row.rowNumber)}
            error={data ? undefined : error}
            failure="Unable to load the rows."
            onRetry={refetch}
            emptyMessage={onlyFaults ? "No rows with errors." : "No rows."}
            toolbar={
              <Checkbox
                size="sm"
                mb="xs"
                label="Errors only"
                checked={onlyFaults}
                onChange={({ currentTarget }) => showOnlyFaults(currentTarget.checked)}
              />
            }
          />
        </Section>
      )}
    </>
  );
}

type BulkRowFields = BulkRunQuery["bulkRun"]["rows"]["rows"][number];

/** Returns the columns of a run's rows, with their planned change or result. */
function listColumns(run: BulkRunState): readonly Column<BulkRowFields>[] {
  const isPlanned = run === "CHECKING" || run === "READY";
  return [
    { title: "Row", text: (row) => String(row.rowNumber), align: "right" },
    {
      title: "Subject",
      text: (row) => row.label,
      wrap: "anywhere",
      render: (row) => (
        <Stack gap={2} align="flex-start">
          {row.userId ? (
            <Anchor component={Link} inherit to={paths.updateUser.href({ id: row.userId })}>
              {row.label}
            </Anchor>
          ) : (
            row.label || "–"
          )}
          {row.supportCode && row.supportCode !== row.label && <Code>{row.supportCode}</Code>}
        </Stack>
      ),
    },
    {
      title: "State",
      text: (row) => formatRowState(row.state, run),
      render: (row) => <RowBadge state={row.state} run={run} />,
    },
    {
      title: isPlanned ? "Planned change" : "Result",
      text: (row) => row.says,
      wrap: "anywhere",
      render: (row) => <RowMessage row={row} />,
    },
  ];
}

function RowMessage({ row }: { row: BulkRowFields }) {
  if (row.faults.length === 0) return row.says;
  return (
    <List listStyleType="none" fz="inherit">
      {row.faults.map(({ column, message }) => (
        <List.Item key={`${column} ${message}`}>
          {column !== WHOLE_ROW && (
            <Text span inherit fw={600}>
              {column}{" "}
            </Text>
          )}
          {message}
        </List.Item>
      ))}
    </List>
  );
}
