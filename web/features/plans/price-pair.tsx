import { usd, usFigure } from "#schema/money.ts";
import { pricesOf } from "./plan-prices.ts";
import classes from "./price-pair.module.css";

/** A plan's two prices side by side, and what the year saves. */
export function PricePair({ slug, size = "md" }: { slug: string; size?: "md" | "lg" }) {
  const { monthly, yearly, saved } = pricesOf(slug);
  return (
    <div className={classes.pair} data-size={size}>
      <p className={classes.price}>
        <Amount cents={monthly} per="a month" />
      </p>
      <p className={classes.price}>
        <Amount cents={yearly} per="a year" />
        <span className={classes.saved}>saves {usd(saved)}</span>
      </p>
    </div>
  );
}

function Amount({ cents, per }: { cents: number; per: string }) {
  return (
    <>
      <span className={classes.currency}>USD</span> <strong className={classes.figure}>{usFigure(cents)}</strong>{" "}
      <span className={classes.per}>{per}</span>{" "}
    </>
  );
}
