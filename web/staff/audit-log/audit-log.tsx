import { Anchor, Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { type AuditFilter, useBulkRunNameQuery } from "#web/generated/graphql.ts";
import { paths } from "#web/platform/paths.ts";
import { bulkKinds } from "#schema/bulk-run.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { EntryList } from "./entry-list.tsx";
import { findLabel } from "#schema/closed-list.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Lists changes made by admins, newest first, with filters. `?run=ID` shows only the changes of one bulk run. */
export function AuditLog() {
  const [filter, setFilter] = useState<AuditFilter>({});
  const [search, setSearch] = useSearchParams();
  const runId = search.get("run");
  return (
    <Stack gap="lg">
      <AuditFilters isNarrowed={Object.values(filter).some(Boolean)} onApply={setFilter} />
      {runId && <RunFilter key={runId} runId={runId} onClear={() => setSearch({})} />}
      <EntryList filter={runId ? { ...filter, bulkRunId: runId } : filter} groupRuns={!runId} label="Changes" />
    </Stack>
  );
}

/** Says which bulk run the list is limited to. */
function RunFilter({ runId, onClear }: { runId: string; onClear: () => void }) {
  const { data } = useBulkRunNameQuery({ variables: { id: runId } });
  const run = data?.bulkRun;
  const kind = run && findLabel(bulkKinds, run.kind);
  return (
    <Paper withBorder radius="lg" px="lg" py="sm">
      <Group justify="space-between" gap="xs">
        <Text>
          Only changes by the bulk run{" "}
          <Anchor component={Link} to={paths.bulkRun.href({ id: runId })} inherit fw={600}>
            {run ? [kind, run.fileName].filter(Boolean).join(": ") : runId}
          </Anchor>
        </Text>
        <Button variant="default" size="xs" onClick={onClear}>
          Show all runs
        </Button>
      </Group>
    </Paper>
  );
}

export default function AuditLogPage() {
  return (
    <PageLayout
      title={paths.auditLog.title}
      lead="Every change made by admins, with the values before and after. Entries can’t be edited."
    >
      <AuditLog />
    </PageLayout>
  );
}
