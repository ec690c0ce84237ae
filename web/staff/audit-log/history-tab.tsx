import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { DayTimeline, type Tone } from "#web/licensing/licences/day-timeline.tsx";
import { formatRepetitions } from "#web/licensing/licences/history-timeline.tsx";
import historyClasses from "#web/licensing/licences/history-timeline.module.css";
import { type TimelineKind, type TimelineQuery, useTimelineQuery } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { EmptyState, ErrorState } from "#web/ui/message-state.tsx";
import { notify } from "#web/platform/notifications.ts";
import { formatError } from "#web/platform/server-error.ts";
import { TableSearch } from "#web/ui/table/table-search.tsx";
import classes from "./audit-log.module.css";
import { ChangedFields } from "./changed-fields.tsx";
import { OlderEntries } from "./older-entries.tsx";

const TYPING_PAUSE_MS = 250;
/** Number of entries per request. */
const PAGE_SIZE = 30;

const kindLabels: readonly (readonly [kind: TimelineKind, label: string])[] = [
  ["ACCOUNT", "Account"],
  ["SIGN_IN", "Sign-ins"],
  ["LICENCE", "Licences"],
  ["SUBSCRIPTION", "Subscription"],
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
  const [busy, setBusy] = useState(false);
  const { data, previousData, error, refetch, fetchMore } = useTimelineQuery({
    variables: { id: userId, first: PAGE_SIZE, kinds: kinds.length > 0 ? [...kinds] : null, search: search || null },
  });
  const timeline = (data ?? previousData)?.user.timeline;

  async function showOlder() {
    setBusy(true);
    try {
      await fetchMore({
        variables: { after: timeline?.endCursor },
        updateQuery: (shown, { fetchMoreResult: { user } }) => ({
          user: { ...user, timeline: { ...user.timeline, rows: [...shown.user.timeline.rows, ...user.timeline.rows] } },
        }),
      });
    } catch (failure) {
      notify.failure(failure, "Unable to load older entries.");
    }
    setBusy(false);
  }

  const toggle = (kind: TimelineKind) =>
    setKinds(kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind]);

  return (
    <div className={classes.log}>
      <TableSearch value={query} onChange={setQuery} />
      <fieldset className={classes.kinds}>
        <legend>Show only</legend>
        {kindLabels.map(([kind, label]) => (
          <button
            key={kind}
            type="button"
            className={classes.kind}
            aria-pressed={kinds.includes(kind)}
            onClick={() => toggle(kind)}
          >
            {label}
          </button>
        ))}
      </fieldset>
      {error && !data ? (
        <ErrorState message={formatError(error, "Unable to load the history.")} onRetry={() => void refetch()} />
      ) : !timeline ? (
        <LoadingBlock label="Loading the history" />
      ) : (
        <section className={classes.entries} aria-label="History" aria-busy={!data || undefined}>
          {timeline.rows.length > 0 ? (
            <DayTimeline headingLevel={2} entries={timeline.rows} toneOf={({ tone }) => tone as Tone}>
              {(entry) => <EntryText entry={entry} />}
            </DayTimeline>
          ) : (
            <EmptyState message={getEmptyMessage(search, timeline.hasMore)}>
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
          <OlderEntries
            shown={timeline.rows.length}
            hasMore={timeline.hasMore}
            busy={busy}
            onOlder={() => void showOlder()}
          />
        </section>
      )}
    </div>
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
    <>
      <p className={historyClasses.asked}>
        {subject && isMachine && <b>{subject}</b>}
        <span>{title}</span>
        {subject && !isMachine && <b>{subject}</b>}
        {tone === "refused" && <span className={historyClasses.refused}>Refused</span>}
      </p>
      {detail && <p className={historyClasses.answer}>{detail}</p>}
      {count > 1 && lastAt && <p className={historyClasses.count}>{formatRepetitions({ count, at, lastAt })}</p>}
      {actorName && <p className={historyClasses.answer}>{actorName}</p>}
      {licenceId && (
        <p className={historyClasses.details}>
          <Link to={paths.licenceHistory.href({ licenceId })}>{supportCode}</Link>
        </p>
      )}
      <ChangedFields changes={changes} />
    </>
  );
}
