import { LicenceStatusBadge } from "#web/licensing/licences/licence-status.tsx";
import type { SeatsQuery } from "#web/generated/graphql.ts";
import classes from "./seat-board.module.css";

/** More seats than this are drawn as one bar. */
const MOST_DRAWN = 48;

/** How many seats are taken, in words and drawn: one piece a seat. */
export function SeatMeter({ licence }: { licence: SeatsQuery["licence"] }) {
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
