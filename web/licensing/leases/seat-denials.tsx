import { shownMachineName } from "#schema/machine-name.ts";
import type { SeatsQuery } from "#web/generated/graphql.ts";
import { formatDateTime } from "#schema/dates.ts";
import classes from "./seat-board.module.css";

type Denial = SeatsQuery["licence"]["seatDenials"][number];

/** Who asked for a seat lately and found none: whether the licence has too few. */
export function SeatDenials({ denials }: { denials: readonly Denial[] }) {
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
