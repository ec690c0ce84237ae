import { useState } from "react";
import { type LicenceHistoryQuery, useLicenceHistoryQuery } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { EmptyState, ErrorState } from "#web/ui/message-state.tsx";
import { notify } from "#web/platform/notifications.ts";
import { messageOf } from "#web/platform/server-error.ts";
import { HistoryFilters, type HistoryWanted } from "./history-filters.tsx";
import { HistoryTimeline, type Reader } from "./history-timeline.tsx";
import classes from "./licence-history.module.css";
import { LicenceStanding } from "./licence-standing.tsx";

/** Rows fetched at once. */
const PART = 30;

/** Everything that was asked of one licence, newest first, under what the licence is now. */
export function LicenceHistory({ licenceId, reader }: { licenceId: string; reader: Reader }) {
  const [wanted, setWanted] = useState<HistoryWanted>({ deviceId: null, refusalsOnly: false });
  const [busy, setBusy] = useState(false);
  const { data, previousData, error, refetch, fetchMore } = useLicenceHistoryQuery({
    variables: { id: licenceId, first: PART, ...wanted, asAdmin: reader === "admin" },
  });
  const licence = (data ?? previousData)?.licence;
  if (error && !data)
    return (
      <ErrorState
        message={messageOf(error, "Unable to fetch the history of this licence.")}
        onRetry={() => void refetch()}
      />
    );
  if (!licence) return <LoadingBlock label="Loading the history" />;
  const { rows, hasMore, endCursor } = licence.events;
  const isFiltered = wanted.deviceId !== null || wanted.refusalsOnly;

  async function showEarlier() {
    setBusy(true);
    try {
      await fetchMore({
        variables: { after: endCursor },
        updateQuery: (shown, { fetchMoreResult }) => joined(shown, fetchMoreResult),
      });
    } catch (failure) {
      notify.failure(failure, "Unable to fetch earlier events.");
    }
    setBusy(false);
  }

  return (
    <>
      <LicenceStanding licence={licence} />
      <section className={classes.history} aria-labelledby="history-title" aria-busy={!data || undefined}>
        <div className={classes.head}>
          <h2 id="history-title">What happened</h2>
          <HistoryFilters wanted={wanted} devices={devicesIn(licence)} onChange={setWanted} />
        </div>
        {rows.length > 0 && <HistoryTimeline events={rows} licence={licence} reader={reader} />}
        {rows.length === 0 && !isFiltered && <EmptyState message="Nothing has been asked of this licence yet." />}
        {rows.length === 0 && isFiltered && (
          <EmptyState
            message={
              wanted.refusalsOnly ? "Nothing was refused: every question got its yes." : "Nothing about this device."
            }
          >
            <Button variant="default" onClick={() => setWanted({ deviceId: null, refusalsOnly: false })}>
              Show Everything
            </Button>
          </EmptyState>
        )}
        <p className={classes.shown} role="status">
          {rows.length > 0 &&
            (hasMore ? `The newest ${rows.length} are shown.` : `That is all: ${inRows(rows.length)}.`)}
        </p>
        {hasMore && (
          <Button variant="default" className={classes.earlier} loading={busy} onClick={() => void showEarlier()}>
            Show Earlier
          </Button>
        )}
      </section>
    </>
  );
}

function inRows(count: number): string {
  return count === 1 ? "1 entry" : `${count} entries`;
}

/** What is shown and the part before it. */
function joined(shown: LicenceHistoryQuery, earlier: LicenceHistoryQuery): LicenceHistoryQuery {
  const { events } = earlier.licence;
  return {
    ...earlier,
    licence: { ...earlier.licence, events: { ...events, rows: [...shown.licence.events.rows, ...events.rows] } },
  };
}

/** The devices to choose from: active ones, and those that the rows speak of, which may have been freed. */
function devicesIn({ devices, events }: LicenceHistoryQuery["licence"]): { id: string; machineName: string }[] {
  const byId = new Map(devices.map(({ id, machineName }) => [id, machineName]));
  for (const { deviceId, machineName } of events.rows)
    if (deviceId && machineName && !byId.has(deviceId)) byId.set(deviceId, machineName);
  return [...byId].map(([id, machineName]) => ({ id, machineName }));
}
