import { useEffect } from "react";
import { useBulkRunQuery } from "#web/generated/graphql.ts";
import { EmptyState } from "#web/ui/message-state.tsx";
import { Section, PageLayout } from "#web/ui/page-layout.tsx";
import { useRemoteList } from "#web/ui/lists/use-remote-list.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { BulkRowsTable } from "./bulk-rows-table.tsx";
import { BulkRunView } from "./bulk-run-view.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { useParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";

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
  const query = useBulkRunQuery({
    variables: { id, filter: { search: remote.search, onlyFaults }, ...remote.page },
    fetchPolicy: "cache-and-network",
  });
  const { data, previousData, error, refetch, startPolling, stopPolling } = query;
  const run = (data ?? previousData)?.bulkRun;
  const isWorking = run?.state === "CHECKING" || run?.state === "RUNNING";
  useEffect(() => {
    if (!isWorking) return undefined;
    startPolling(POLL_MS);
    return stopPolling;
  }, [isWorking, startPolling, stopPolling]);

  if (!run) return <Loaded query={query} failure="Unable to load the bulk run." tall />;
  return (
    <>
      <BulkRunView run={run} />
      {run.rowsRemovedAt && (
        <EmptyState message="The rows were removed 30 days after the run because they contain personal data." />
      )}
      {!run.rowsRemovedAt && run.state !== "REFUSED" && (
        <Section title="Rows">
          <BulkRowsTable
            run={run.state}
            rows={run.rows.rows}
            list={remote.toTableList(run.rows)}
            error={data ? undefined : error}
            onRetry={() => void refetch()}
            onlyFaults={onlyFaults}
            onOnlyFaults={(next) => {
              const params = new URLSearchParams(list.params);
              if (next) params.set("errors", "only");
              else params.delete("errors");
              list.apply(params);
            }}
          />
        </Section>
      )}
    </>
  );
}
