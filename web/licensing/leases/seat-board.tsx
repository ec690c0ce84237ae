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
import { messageOf } from "#web/platform/server-error.ts";
import { FreeSeatDialog } from "./free-seat-dialog.tsx";
import classes from "./seat-board.module.css";
import { SeatsTable } from "./seats-table.tsx";
import { shownMachineName } from "#schema/machine-name.ts";
import { LicenceStatusBadge } from "#web/licensing/licences/licence-expiry.tsx";

/** More seats than this are drawn as one bar. */
const MOST_DRAWN = 48;

/** How many seats are taken, in words and drawn: one piece a seat. */
function SeatMeter({ licence }: { licence: SeatsQuery["licence"] }) {
  const { leases, numberOfUsers, product, subscriptionLevel, supportCode, status } = licence;
  const taken = leases.length;
  const free = Math.max(0, numberOfUsers - taken);
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
        <b>{taken}</b> of {numberOfUsers} {numberOfUsers === 1 ? "seat" : "seats"} taken
        <span>{free === 0 ? "None is free" : free === 1 ? "1 is free" : `${free} are free`}</span>
      </p>
      <div className={classes.meter} data-full={free === 0 || undefined} aria-hidden="true">
        {numberOfUsers <= MOST_DRAWN ? (
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

/** Heartbeats come every few minutes; a board that is half a minute old misleads nobody. */
const REFRESH_MS = 30_000;
const UNREACHABLE = "Unable to fetch the seats of this licence.";

/** The seats of a concurrent licence as they are now; refreshes by itself while it is looked at. */
export function SeatBoard({ licenceId, mayFree }: { licenceId: string; mayFree: boolean }) {
  const { data, error, refetch } = useSeatsQuery({
    variables: { licenceId },
    pollInterval: REFRESH_MS,
    skipPollAttempt: () => document.hidden,
    // A refresh that nobody asked for must not lead away from what is shown.
    context: { staysOnPage: true },
  });
  const [updatedAt, setUpdatedAt] = useState<string | null>(null);
  const [asked, setAsked] = useState<TakenSeatFragment | null>(null);

  useEffect(() => {
    if (data) setUpdatedAt(new Date().toISOString());
  }, [data]);
  useEffect(() => {
    const lookAgain = () => !document.hidden && void refetch().catch(() => undefined);
    document.addEventListener("visibilitychange", lookAgain);
    return () => document.removeEventListener("visibilitychange", lookAgain);
  }, [refetch]);

  if (error && !data) return <ErrorState message={messageOf(error, UNREACHABLE)} onRetry={() => void refetch()} />;
  if (!data) return <LoadingBlock label="Loading the seats" />;
  const { licence } = data;
  if (!needsSeat(licence.licenceActivationType))
    return (
      <EmptyState message="This licence has no seats: it runs on every device that is activated on it.">
        <LinkButton variant="default" to={paths.licenceHistory.href({ licenceId })}>
          Explain This Licence
        </LinkButton>
      </EmptyState>
    );

  async function refresh() {
    try {
      await refetch();
      setUpdatedAt(new Date().toISOString());
    } catch (failure) {
      notify.failure(failure, UNREACHABLE);
    }
  }

  return (
    <div className={classes.board}>
      <SeatMeter licence={licence} />
      <section aria-labelledby="seats-title">
        <div className={classes.head}>
          <h2 id="seats-title">Seats taken</h2>
          <p className={classes.freshness}>
            {error ? "The last refresh failed. " : ""}
            {updatedAt && `As of ${formatTime(updatedAt)}; refreshed every half a minute.`}
          </p>
          <BusyButton variant="default" size="sm" onPress={refresh}>
            Refresh
          </BusyButton>
        </div>
        <SeatsTable leases={licence.leases} onFree={mayFree ? setAsked : null} />
      </section>
      <SeatDenials denials={licence.seatDenials} />
      {mayFree && <FreeSeatDialog seat={asked} onClose={() => setAsked(null)} onFreed={() => void refresh()} />}
    </div>
  );
}

type Denial = SeatsQuery["licence"]["seatDenials"][number];

/** Who asked for a seat lately and found none: whether the licence has too few. */
function SeatDenials({ denials }: { denials: readonly Denial[] }) {
  return (
    <section className={classes.denials} aria-labelledby="denials-title">
      <h2 id="denials-title">Turned away within seven days</h2>
      {denials.length === 0 ? (
        <p className={classes.none}>Nobody: whoever asked for a seat got one.</p>
      ) : (
        <ul>
          {denials.map((denial) => (
            <li key={denial.id}>
              <time dateTime={denial.at}>{formatDateTime(denial.at)}</time>
              <span>
                <b>{denial.osUser ?? "A user not told"}</b>
                {denial.machineName && ` on ${shownMachineName(denial.machineName)}`}
              </span>
              <span>
                {denial.code === "LEASE_EXPIRED" ? "Their seat had lapsed and was taken" : "No seat was free"}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
