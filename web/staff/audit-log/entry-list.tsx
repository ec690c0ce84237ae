import { Anchor, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router-dom";
import { formatNumber } from "#schema/numbers.ts";
import { type AuditFilter, type AuditLogQuery, useAuditLogQuery } from "#web/generated/graphql.ts";
import { DayTimeline } from "#web/licensing/licences/day-timeline.tsx";
import { paths } from "#web/platform/paths.ts";
import { EmptyState } from "#web/ui/message-state.tsx";
import { ChangedFields } from "./changed-fields.tsx";
import { OlderEntries } from "./older-entries.tsx";
import { Loaded } from "#web/ui/loaded.tsx";

/** Number of entries per request. */
const PAGE_SIZE = 30;

type Entry = AuditLogQuery["auditLog"]["rows"][number];

export interface EntryListProps {
  filter: AuditFilter;
  /** Shows each bulk run as one row that opens. */
  groupRuns: boolean;
  label: string;
}

/** Lists the audit entries that match a filter, newest first. */
export function EntryList({ filter, groupRuns, label }: EntryListProps) {
  const query = useAuditLogQuery({
    variables: { filter, first: PAGE_SIZE, groupRuns },
  });
  const { data, previousData, fetchMore } = query;
  const log = (data ?? (query.error ? undefined : previousData))?.auditLog;

  const loadOlder = () =>
    fetchMore({
      variables: { after: log?.endCursor },
      updateQuery: (shown, { fetchMoreResult: { auditLog } }) => ({
        auditLog: { ...auditLog, rows: [...shown.auditLog.rows, ...auditLog.rows] },
      }),
    });

  if (!log) return <Loaded query={query} failure="Unable to load the audit log." loading="Loading the audit log" />;
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <Stack component="section" aria-label={label} aria-busy={!data || undefined}>
      {log.rows.length > 0 ? (
        <DayTimeline headingLevel={groupRuns ? 2 : 3} entries={log.rows} toneOf={() => "change"}>
          {(entry) =>
            entry.bulkRunId && (entry.runEntryCount ?? 0) > 1 ? (
              <RunEntry entry={entry} filter={{ ...filter, bulkRunId: entry.bulkRunId }} />
            ) : (
              <SingleEntry entry={entry} />
            )
          }
        </DayTimeline>
      ) : (
        <EmptyState message={isFiltered ? "No changes match these filters." : "No changes yet."} />
      )}
      <OlderEntries shown={log.rows.length} hasMore={log.endCursor !== null} loadOlder={loadOlder} />
    </Stack>
  );
}

/** All matching entries of a bulk run in one row, which opens. */
function RunEntry({ entry, filter }: { entry: Entry; filter: AuditFilter }) {
  const [isOpen, setOpen] = useState(false);
  const name = entry.bulkRunName ?? "Bulk run";
  return (
    <>
      <Group gap="2px 10px" align="baseline">
        <b>{name}</b>
        <Badge size="md">{formatNumber(entry.runEntryCount ?? 0)} entries</Badge>
      </Group>
      <Text c="dimmed" fz="sm">
        {entry.actorName} from {entry.ip}
      </Text>
      <Group gap="xs" mt={4}>
        <Button
          variant="default"
          size="xs"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? "Hide" : "Show"} entries of ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Hide entries" : "Show entries"}
        </Button>
        <Anchor component={Link} fz="sm" to={`${paths.auditLog.href()}?run=${entry.bulkRunId}`}>
          Only this run
        </Anchor>
        <Anchor component={Link} fz="sm" to={paths.bulkRun.href({ id: entry.bulkRunId ?? "" })}>
          Open the run
        </Anchor>
      </Group>
      {isOpen && <EntryList filter={filter} groupRuns={false} label={`Changes by ${name}`} />}
    </>
  );
}

function SingleEntry({ entry }: { entry: Entry }) {
  const { id, what, subjectType, subjectName, user, actorName, ip, changes, isRevertible } = entry;
  const name = user && `${user.firstName} ${user.lastName}`;
  // For a change to a user, the link already shows the name.
  const subject = user && subjectType === "USER" ? null : subjectName;
  return (
    <>
      <Group gap="2px 10px" align="baseline" style={{ overflowWrap: "anywhere" }}>
        <span>{what}</span>
        {subject && <b>{subject}</b>}
        {user && (
          <span>
            {subject && "of "}
            <Anchor component={Link} to={paths.updateUser.href({ id: user.id })}>
              {name}
            </Anchor>
          </span>
        )}
      </Group>
      <Text c="dimmed" fz="sm" style={{ overflowWrap: "anywhere" }}>
        {actorName} from {ip}
      </Text>
      <ChangedFields changes={changes} revertible={isRevertible ? id : null} />
    </>
  );
}
