import { Fieldset, Group, Stack } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { DayTimeline } from "#web/licensing/licences/day-timeline.tsx";
import { type TimelineKind, useTimelineQuery } from "#web/generated/graphql.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { EmptyState } from "#web/ui/message-state.tsx";
import { ToggleButton } from "#web/ui/toggle-button.tsx";
import { appendOlder } from "#web/ui/lists/append-older.ts";
import { TableSearch } from "#web/ui/table/table-controls.tsx";
import { OlderEntries } from "./older-entries.tsx";
import { TimelineEntry } from "./timeline-entry.tsx";
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
      updateQuery: (shown, { fetchMoreResult: { user }, variables }) =>
        appendOlder(shown?.user?.timeline, user.timeline, variables.after, (page) => ({
          user: { ...user, timeline: page },
        })),
    });

  const toggle = (kind: TimelineKind) =>
    setKinds(kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind]);

  return (
    <Stack gap="lg">
      <TableSearch value={query} onChange={setQuery} />
      <Fieldset legend="Show only" mx={0}>
        <Group gap="xs">
          {kindLabels.map(([kind, label]) => (
            <ToggleButton key={kind} isPressed={kinds.includes(kind)} onClick={() => toggle(kind)}>
              {label}
            </ToggleButton>
          ))}
        </Group>
      </Fieldset>
      {!timeline ? (
        <Loaded query={history} failure="Unable to load the history." loading="Loading the history" />
      ) : (
        <Stack component="section" aria-label="History" aria-busy={!data || undefined}>
          {timeline.rows.length > 0 ? (
            <DayTimeline headingLevel={2} entries={timeline.rows} toneOf={({ tone }) => toValue(timelineTones, tone)}>
              {(entry) => <TimelineEntry entry={entry} />}
            </DayTimeline>
          ) : (
            <EmptyState message={getEmptyMessage(search, timeline.endCursor !== null)}>
              <BusyButton
                variant="default"
                onPress={() => {
                  setKinds([]);
                  setQuery("");
                }}
              >
                Show all events
              </BusyButton>
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
