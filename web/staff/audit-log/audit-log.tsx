import { Anchor, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { type AuditFilter, type AuditLogQuery, useAuditLogQuery } from "#web/generated/graphql.ts";
import { DayTimeline } from "#web/licensing/licences/day-timeline.tsx";
import { LoadingBlock } from "#web/public-ui/loading-block.tsx";
import { EmptyState, ErrorState } from "#web/public-ui/message-state.tsx";
import { notify } from "#web/platform/notifications.ts";
import { formatError } from "#web/platform/server-error.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { ChangedFields } from "./changed-fields.tsx";
import { OlderEntries } from "./older-entries.tsx";

/** Number of entries per request. */
const PAGE_SIZE = 30;

type Entry = AuditLogQuery["auditLog"]["rows"][number];

/** Lists changes made by admins, newest first, with filters. */
export function AuditLog() {
  const [filter, setFilter] = useState<AuditFilter>({});
  const [busy, setBusy] = useState(false);
  const { data, previousData, error, refetch, fetchMore } = useAuditLogQuery({
    variables: { filter, first: PAGE_SIZE },
  });
  const log = (data ?? previousData)?.auditLog;

  async function showOlder() {
    setBusy(true);
    try {
      await fetchMore({
        variables: { after: log?.endCursor },
        updateQuery: (shown, { fetchMoreResult: { auditLog } }) => ({
          auditLog: { ...auditLog, rows: [...shown.auditLog.rows, ...auditLog.rows] },
        }),
      });
    } catch (failure) {
      notify.failure(failure, "Unable to load older entries.");
    }
    setBusy(false);
  }

  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <Stack gap="lg">
      <AuditFilters onApply={setFilter} />
      {error && !data ? (
        <ErrorState message={formatError(error, "Unable to load the audit log.")} onRetry={() => void refetch()} />
      ) : !log ? (
        <LoadingBlock label="Loading the audit log" />
      ) : (
        <Stack component="section" aria-label="Changes" aria-busy={!data || undefined}>
          {log.rows.length > 0 ? (
            <DayTimeline headingLevel={2} entries={log.rows} toneOf={() => "change"}>
              {(entry) => <EntryText entry={entry} />}
            </DayTimeline>
          ) : (
            <EmptyState message={isFiltered ? "No changes match these filters." : "No changes yet."} />
          )}
          <OlderEntries shown={log.rows.length} hasMore={log.hasMore} busy={busy} onOlder={() => void showOlder()} />
        </Stack>
      )}
    </Stack>
  );
}

function EntryText({ entry }: { entry: Entry }) {
  const { what, subjectType, subjectName, user, actorName, ip, changes } = entry;
  const name = user && `${user.firstName} ${user.lastName}`;
  // For a change to a user, the link already shows the name.
  const subject = user && subjectType === "user" ? null : subjectName;
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
      <ChangedFields changes={changes} />
    </>
  );
}
