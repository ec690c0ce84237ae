import { brand } from "#schema/brand.ts";
import classes from "./brand-promise.module.css";

/** Bars of the schedule: first column and number of columns of 2.75 rem each. */
const bars = [
  { from: 1, columns: 2, tone: "done" },
  { from: 1, columns: 1, tone: "done" },
  { from: 2, columns: 3, tone: "done" },
  { from: 4, columns: 1, tone: "late" },
  { from: 4, columns: 2, tone: "bar" },
  { from: 5, columns: 1, tone: "bar" },
  { from: 5, columns: 2, tone: "ahead" },
] as const;

/** The brand's tagline above a decorative schedule, shown next to the sign-in form. */
export function BrandPromise() {
  return (
    <>
      <p className={classes.pledge}>{brand.tagline}</p>
      <div className={classes.schedule} aria-hidden="true">
        {bars.map(({ from, columns, tone }, row) => (
          <i
            key={`${from}-${columns}-${tone}`}
            data-tone={tone}
            style={{ gridRow: row + 1, gridColumn: `${from} / span ${columns}` }}
          />
        ))}
      </div>
    </>
  );
}
