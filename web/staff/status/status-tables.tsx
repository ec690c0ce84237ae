import { Badge, Group, Text } from "@mantine/core";
import { findLabel } from "#schema/closed-list.ts";
import { formatNumber } from "#schema/numbers.ts";
import { checkStates } from "#schema/status.ts";
import type { InstallationStatusQuery } from "#web/generated/graphql.ts";
import { RowList } from "#web/ui/row-list.tsx";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { momentColumn } from "#web/ui/table/moment-column.tsx";

type Status = InstallationStatusQuery["installationStatus"];
export type Finding = Status["findings"][number];
type Queue = Status["queues"][number];
type Job = Status["failedJobs"][number];

const colors = { OK: "spruce", WARNING: "marigold", FAILED: "red" };
const urgency = { FAILED: 0, WARNING: 1, OK: 2 };

const startSentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Lists all findings, the most urgent first, with what to do. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const rows = findings
    .toSorted((one, other) => urgency[one.state] - urgency[other.state])
    .map(({ check, state, message, fix }) => ({
      id: `${check} ${message}`,
      cells: (
        <>
          <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
            <Text inherit fw={560} c="var(--mantine-color-text)">
              {startSentence(check)}
            </Text>
            <Badge color={colors[state]}>{findLabel(checkStates, state)}</Badge>
          </Group>
          <div>
            {startSentence(message)}
            {fix && (
              <Text inherit fw={560} c="var(--mantine-color-text)">
                {fix}
              </Text>
            )}
          </div>
        </>
      ),
    }));
  return <RowList rows={rows} />;
}

function countColumn(title: string, read: (queue: Queue) => number): Column<Queue> {
  return { title, text: (queue) => formatNumber(read(queue)), sortBy: read, align: "right" };
}

const queueColumns: readonly Column<Queue>[] = [
  { title: "Queue", text: ({ name }) => name },
  countColumn("Waiting", ({ waiting }) => waiting),
  countColumn("Running", ({ running }) => running),
  countColumn("Failed", ({ failed }) => failed),
  momentColumn("Oldest waits since", ({ oldestAt }) => oldestAt),
];

/** Shows what waits, runs and failed in each queue. */
export function QueuesTable({ queues }: { queues: readonly Queue[] }) {
  return (
    <DataTable
      name="Queues"
      columns={queueColumns}
      rows={queues}
      rowId={({ name }) => name}
      emptyMessage="No queues."
      toolsFrom={10}
    />
  );
}

const jobColumns: readonly Column<Job>[] = [
  { title: "Queue", text: ({ queue }) => queue },
  momentColumn("Last attempt", ({ failedAt }) => failedAt),
  { title: "Attempts", text: ({ attempts }) => formatNumber(attempts), align: "right" },
  { title: "Reason", text: ({ reason }) => reason ?? "No answer", wrap: "anywhere" },
  { title: "ID", text: ({ id }) => id, wrap: "anywhere" },
];

/** Lists jobs that failed every attempt, for the command `jobs retry`. */
export function FailedJobsTable({ jobs }: { jobs: readonly Job[] }) {
  return (
    <DataTable
      name="Failed jobs"
      columns={jobColumns}
      rows={jobs}
      rowId={({ id }) => id}
      emptyMessage="No job failed every attempt."
      toolsFrom={10}
    />
  );
}
