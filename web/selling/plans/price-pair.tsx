import { formatUsd, formatUsAmount } from "#schema/money.ts";
import { getPlanPrices } from "./plan-prices.ts";
import classes from "./price-pair.module.css";

/** A plan's monthly and yearly price, and the yearly saving. */
export function PricePair({ slug, size = "md" }: { slug: string; size?: "md" | "lg" }) {
  const { monthly, yearly, saved } = getPlanPrices(slug);
  return (
    <div className={classes.pair} data-size={size}>
      <p className={classes.price}>
        <Amount cents={monthly} /> <span className={classes.per}>a month</span>
      </p>
      <p className={classes.price}>
        <Amount cents={yearly} /> <span className={classes.per}>a year</span>{" "}
        <span className={classes.saved}>saves {formatUsd(saved)}</span>
      </p>
    </div>
  );
}

function Amount({ cents }: { cents: number }) {
  return (
    <span className={classes.amount}>
      <span className={classes.currency}>US$</span>
      <strong className={classes.figure}>{formatUsAmount(cents)}</strong>
    </span>
  );
}
