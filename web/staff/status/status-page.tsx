import { Stack, Text, Title, Badge, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { useInstallationStatusQuery, type InstallationStatusQuery } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { paths } from "#web/platform/paths.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { findLabel } from "#schema/closed-list.ts";
import { formatCount, formatNumber } from "#schema/numbers.ts";
import { checkStates } from "#schema/status.ts";
import { RowList } from "#web/ui/row-list.tsx";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { momentColumn } from "#web/ui/table/columns.tsx";

const FAILURE = "Unable to check the installation.";

/** State of the installation, with what to do about everything that isn't right. */
export default function StatusPage() {
  const query = useInstallationStatusQuery({ fetchPolicy: "network-only" });
  const status = query.data?.installationStatus;
  // The page keeps the last answer after a failure, which would look like a new one.
  const checkAgain = () => query.refetch().catch((error: unknown) => query.data && notify.failure(error, FAILURE));
  return (
    <PageLayout
      title={paths.status.title}
      lead={
        status && (
          <>
            Version {status.version}, checked on <Moment at={status.checkedAt} />. The command <code>doctor</code>{" "}
            checks the same.
          </>
        )
      }
      actions={
        <BusyButton variant="default" onPress={checkAgain}>
          Check again
        </BusyButton>
      }
    >
      <Loaded query={query} failure={FAILURE} loading="Checking the installation" tall>
        {({ installationStatus: { findings, queues, failedJobs } }) => (
          <Stack gap="xl">
            <Stack component="section" aria-label="Checks" gap="md">
              <div role="status">
                <Summary findings={findings} />
              </div>
              <Findings findings={findings} />
            </Stack>
            <Section title="Queues">
              <DataTable
                name="Queues"
                columns={queueColumns}
                rows={queues}
                rowId={({ name }) => name}
                emptyMessage="No queues."
                toolsFrom={10}
              />
            </Section>
            {failedJobs.length > 0 && (
              <Section title="Failed jobs">
                <DataTable
                  name="Failed jobs"
                  columns={jobColumns}
                  rows={failedJobs}
                  rowId={({ id }) => id}
                  emptyMessage="No job failed every attempt."
                  toolsFrom={10}
                />
              </Section>
            )}
          </Stack>
        )}
      </Loaded>
    </PageLayout>
  );
}

function Summary({ findings }: { findings: readonly Finding[] }) {
  const count = (wanted: Finding["state"]) => findings.filter(({ state }) => state === wanted).length;
  const [failed, warnings] = [count("FAILED"), count("WARNING")];
  const tone = failed > 0 ? "critical" : warnings > 0 ? "notice" : "calm";
  return (
    <Callout tone={tone}>
      <Text fw={560}>
        {tone === "calm"
          ? `Everything is in order: ${formatCount(findings.length, "check")}.`
          : `${failed + warnings} of ${findings.length} checks need you.`}
      </Text>
    </Callout>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" aria-label={title} gap="sm">
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  );
}

type Status = InstallationStatusQuery["installationStatus"];
type Finding = Status["findings"][number];
type Queue = Status["queues"][number];
type Job = Status["failedJobs"][number];

const colors = { OK: "spruce", WARNING: "marigold", FAILED: "red" };
const urgency = { FAILED: 0, WARNING: 1, OK: 2 };

const startSentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Lists all findings, the most urgent first, with what to do. */
function Findings({ findings }: { findings: readonly Finding[] }) {
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

/** What waits, runs and failed in each queue. */
const queueColumns: readonly Column<Queue>[] = [
  { title: "Queue", text: ({ name }) => name },
  countColumn("Waiting", ({ waiting }) => waiting),
  countColumn("Running", ({ running }) => running),
  countColumn("Failed", ({ failed }) => failed),
  momentColumn("Oldest waits since", ({ oldestAt }) => oldestAt),
];

/** Jobs that failed every attempt, for the command `jobs retry`. */
const jobColumns: readonly Column<Job>[] = [
  { title: "Queue", text: ({ queue }) => queue },
  momentColumn("Last attempt", ({ failedAt }) => failedAt),
  { title: "Attempts", text: ({ attempts }) => formatNumber(attempts), align: "right" },
  { title: "Reason", text: ({ reason }) => reason ?? "No answer", wrap: "anywhere" },
  { title: "ID", text: ({ id }) => id, wrap: "anywhere" },
];
