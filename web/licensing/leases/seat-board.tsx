import { useEffect, useState } from "react";
import { needsSeat } from "#schema/catalogue.ts";
import { paths } from "#web/platform/paths.ts";
import { type SeatsQuery, type TakenSeatFragment, useSeatsQuery } from "#web/generated/graphql.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { EmptyState, ErrorState } from "#web/ui/message-state.tsx";
import { formatDateTime, formatTime } from "#schema/dates.ts";
import { notify } from "#web/platform/notifications.ts";
import { formatError } from "#web/platform/server-error.ts";
import { ReleaseSeatDialog } from "./release-seat-dialog.tsx";
import classes from "./seat-board.module.css";
import { SeatsTable } from "./seats-table.tsx";
import { formatMachineName } from "#schema/machine-name.ts";
import { LicenceStatusBadge } from "#web/licensing/licences/licence-expiry.tsx";

/** Above this number, seats are drawn as one bar. */
const MAX_SEGMENTS = 48;

/** Shows the number of seats in use, as text and as a meter with one segment per seat. */
function SeatMeter({ licence }: { licence: SeatsQuery["licence"] }) {
  const { leases, numberOfUsers, product, subscriptionLevel, supportCode, status } = licence;
  const taken = leases.length;
  const available = Math.max(0, numberOfUsers - taken);
  return (
    <section className={classes.card} aria-label="This licence">
      <div className={classes.which}>
        <h2>
          {product} {subscriptionLevel}
        </h2>
        <LicenceStatusBadge status={status} />
        <code className={classes.code}>{supportCode}</code>
      </div>
      <p className={classes.count}>
        <b>{taken}</b> of {numberOfUsers} {numberOfUsers === 1 ? "seat" : "seats"} in use
        <span>{available === 0 ? "None available" : `${available} available`}</span>
      </p>
      <div className={classes.meter} data-full={available === 0 || undefined} aria-hidden="true">
        {numberOfUsers <= MAX_SEGMENTS ? (
          Array.from({ length: numberOfUsers }, (_, seat) => <span key={seat} data-taken={seat < taken || undefined} />)
        ) : (
          <span className={classes.whole}>
            <span style={{ inlineSize: `${Math.min(100, (100 * taken) / numberOfUsers)}%` }} />
          </span>
        )}
      </div>
    </section>
  );
}

/** Refresh interval in milliseconds. Heartbeats arrive only every few minutes, so half a minute is often enough. */
const REFRESH_MS = 30_000;
const FETCH_FAILED = "Unable to fetch the seats of this licence.";

/** Shows the seats of a concurrent licence in use now. Refreshes automatically while the page is visible. */
export function SeatBoard({ licenceId, canRelease }: { licenceId: string; canRelease: boolean }) {
  const { data, error, refetch } = useSeatsQuery({
    variables: { licenceId },
    pollInterval: REFRESH_MS,
    skipPollAttempt: () => document.hidden,
    // An automatic refresh must not navigate away from the page.
    context: { staysOnPage: true },
  });
  const [updatedAt, setUpdatedAt] = useState<string | null>(null);
  const [seatToRelease, setSeatToRelease] = useState<TakenSeatFragment | null>(null);

  useEffect(() => {
    if (data) setUpdatedAt(new Date().toISOString());
  }, [data]);
  useEffect(() => {
    const refetchIfVisible = () => !document.hidden && void refetch().catch(() => undefined);
    document.addEventListener("visibilitychange", refetchIfVisible);
    return () => document.removeEventListener("visibilitychange", refetchIfVisible);
  }, [refetch]);

  if (error && !data) return <ErrorState message={formatError(error, FETCH_FAILED)} onRetry={() => void refetch()} />;
  if (!data) return <LoadingBlock label="Loading the seats" />;
  const { licence } = data;
  if (!needsSeat(licence.licenceActivationType))
    return (
      <EmptyState message="This licence has no seats. It runs on every activated device.">
        <LinkButton variant="default" to={paths.licenceHistory.href({ licenceId })}>
          View licence history
        </LinkButton>
      </EmptyState>
    );

  async function refresh() {
    try {
      await refetch();
      setUpdatedAt(new Date().toISOString());
    } catch (failure) {
      notify.failure(failure, FETCH_FAILED);
    }
  }

  return (
    <div className={classes.board}>
      <SeatMeter licence={licence} />
      <section aria-labelledby="seats-title">
        <div className={classes.head}>
          <h2 id="seats-title">Seats in use</h2>
          <p className={classes.freshness}>
            {error ? "The last refresh failed. " : ""}
            {updatedAt && `As of ${formatTime(updatedAt)}. Refreshes every 30 seconds.`}
          </p>
          <BusyButton variant="default" size="sm" onPress={refresh}>
            Refresh
          </BusyButton>
        </div>
        <SeatsTable leases={licence.leases} onRelease={canRelease ? setSeatToRelease : null} />
      </section>
      <SeatDenials denials={licence.seatDenials} />
      {canRelease && (
        <ReleaseSeatDialog seat={seatToRelease} onClose={() => setSeatToRelease(null)} onFreed={() => void refresh()} />
      )}
    </div>
  );
}

type Denial = SeatsQuery["licence"]["seatDenials"][number];

/**
 * Lists recent requests that were denied because no seat was available, which shows whether a licence has too few
 * seats.
 */
function SeatDenials({ denials }: { denials: readonly Denial[] }) {
  return (
    <section className={classes.denials} aria-labelledby="denials-title">
      <h2 id="denials-title">Denied in the last 7 days</h2>
      {denials.length === 0 ? (
        <p className={classes.none}>No requests were denied.</p>
      ) : (
        <ul>
          {denials.map((denial) => (
            <li key={denial.id}>
              <time dateTime={denial.at}>{formatDateTime(denial.at)}</time>
              <span>
                <b>{denial.osUser ?? "Unknown user"}</b>
                {denial.machineName && ` on ${formatMachineName(denial.machineName)}`}
              </span>
              <span>
                {denial.code === "LEASE_EXPIRED"
                  ? "Seat lapsed and was taken by another user"
                  : "No seat was available"}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
