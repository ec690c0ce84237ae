import { Anchor, Badge, Button, Fieldset, Group, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { DayTimeline } from "#web/licensing/licences/day-timeline.tsx";
import { Repetitions } from "#web/licensing/licences/history-timeline.tsx";
import { type TimelineKind, type TimelineQuery, useTimelineQuery } from "#web/generated/graphql.ts";
import { EmptyState } from "#web/ui/message-state.tsx";
import { TableSearch } from "#web/ui/table/table-search.tsx";
import { ChangedFields } from "./changed-fields.tsx";
import { OlderEntries } from "./older-entries.tsx";
import { toValue } from "#schema/closed-list.ts";
import { timelineTones } from "#schema/timeline.ts";
import { Loaded } from "#web/ui/loaded.tsx";

const TYPING_PAUSE_MS = 250;
/** Number of entries per request. */
const PAGE_SIZE = 30;

const kindLabels: readonly (readonly [kind: TimelineKind, label: string])[] = [
  ["ACCOUNT", "Account"],
  ["SIGN_IN", "Sign-ins"],
  ["LICENCE", "Licences"],
  ["SUBSCRIPTION", "Subscription"],
  ["PAYMENT", "Payments"],
  ["INVOICE", "Invoices"],
  ["CONTACT", "Contacts"],
  ["COMMENT", "Comments"],
  ["CHANGE", "Changes by staff"],
];

type Entry = NonNullable<TimelineQuery["user"]>["timeline"]["rows"][number];

/** Lists everything that happened to a user's account, newest first. */
export function HistoryTab({ userId }: { userId: string }) {
  const [kinds, setKinds] = useState<readonly TimelineKind[]>([]);
  const [query, setQuery] = useState("");
  const [search] = useDebouncedValue(query.trim(), TYPING_PAUSE_MS);
  const history = useTimelineQuery({
    variables: { id: userId, first: PAGE_SIZE, kinds: kinds.length > 0 ? [...kinds] : null, search: search || null },
  });
  const { data, previousData, fetchMore } = history;
  const timeline = (data ?? (history.error ? undefined : previousData))?.user.timeline;

  const loadOlder = () =>
    fetchMore({
      variables: { after: timeline?.endCursor },
      updateQuery: (shown, { fetchMoreResult: { user } }) => ({
        user: { ...user, timeline: { ...user.timeline, rows: [...shown.user.timeline.rows, ...user.timeline.rows] } },
      }),
    });

  const toggle = (kind: TimelineKind) =>
    setKinds(kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind]);

  return (
    <Stack gap="lg">
      <TableSearch value={query} onChange={setQuery} />
      <Fieldset legend="Show only" mx={0}>
        <Group gap="xs">
          {kindLabels.map(([kind, label]) => (
            <Button
              key={kind}
              size="xs"
              radius="xl"
              variant={kinds.includes(kind) ? "light" : "default"}
              aria-pressed={kinds.includes(kind)}
              onClick={() => toggle(kind)}
            >
              {label}
            </Button>
          ))}
        </Group>
      </Fieldset>
      {!timeline ? (
        <Loaded query={history} failure="Unable to load the history." loading="Loading the history" />
      ) : (
        <Stack component="section" aria-label="History" aria-busy={!data || undefined}>
          {timeline.rows.length > 0 ? (
            <DayTimeline headingLevel={2} entries={timeline.rows} toneOf={({ tone }) => toValue(timelineTones, tone)}>
              {(entry) => <EntryText entry={entry} />}
            </DayTimeline>
          ) : (
            <EmptyState message={getEmptyMessage(search, timeline.endCursor !== null)}>
              <Button
                variant="default"
                onClick={() => {
                  setKinds([]);
                  setQuery("");
                }}
              >
                Show all events
              </Button>
            </EmptyState>
          )}
          <OlderEntries shown={timeline.rows.length} hasMore={timeline.endCursor !== null} loadOlder={loadOlder} />
        </Stack>
      )}
    </Stack>
  );
}

function getEmptyMessage(search: string, hasMore: boolean): string {
  if (!search) return "No entries of this kind.";
  return hasMore ? `No recent entries match “${search}”. Older entries may match.` : `Nothing matches “${search}”.`;
}

function EntryText({ entry }: { entry: Entry }) {
  const { kind, title, subject, detail, tone, count, at, lastAt, actorName, licenceId, supportCode, changes } = entry;
  // A machine is the subject of the sentence, so its name comes first. Other subjects come last.
  const isMachine = kind === "LICENCE";
  return (
    <Stack gap={4} style={{ overflowWrap: "anywhere" }}>
      <Group gap="2px 10px" align="baseline">
        {subject && isMachine && <b>{subject}</b>}
        <span>{title}</span>
        {subject && !isMachine && <b>{subject}</b>}
        {tone === "REFUSED" && (
          <Badge size="sm" color="red">
            Refused
          </Badge>
        )}
      </Group>
      {detail && <Text c="dimmed">{detail}</Text>}
      {count > 1 && lastAt && (
        <Text c="dimmed">
          <Repetitions count={count} at={at} lastAt={lastAt} />
        </Text>
      )}
      {actorName && <Text c="dimmed">{actorName}</Text>}
      {licenceId && (
        <Anchor component={Link} fz="sm" to={paths.licenceHistory.href({ licenceId })}>
          {supportCode}
        </Anchor>
      )}
      <ChangedFields changes={changes} />
    </Stack>
  );
}
