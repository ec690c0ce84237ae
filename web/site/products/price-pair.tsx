import { formatAud, formatUsAmount, formatUsd } from "#schema/money.ts";
import type { PlanInterval } from "#schema/plan-catalogue.ts";
import { usePlanPrices } from "./plan-prices.ts";
import layout from "#web/ui/layout.module.css";
import classes from "./price-pair.module.css";

export interface PricePairProps {
  slug: string;
  size?: "md" | "lg";
  /** The interval whose price comes first and is larger. Default none. */
  interval?: PlanInterval | undefined;
  /** Shows the other interval as one line. */
  isCompact?: boolean;
}

/** Shown instead of the prices of a plan that is off sale. */
export const OFF_SALE = "Not sold any more.";

const periods = { monthly: "a month", yearly: "a year" } as const;

/** A plan's monthly and yearly price in USD, with the charge in AUD, and the yearly saving. Says if the plan isn't sold any more. */
export function PricePair({ slug, size = "md", interval, isCompact = false }: PricePairProps) {
  const prices = usePlanPrices()(slug);
  const { withGst, saved, isOnSale } = prices;
  if (!isOnSale) return <p>{OFF_SALE} Existing subscriptions continue.</p>;
  const order = interval === "yearly" ? (["yearly", "monthly"] as const) : (["monthly", "yearly"] as const);
  return (
    <div className={classes.pair} data-size={size} data-compact={isCompact || undefined}>
      {order.map((shown) => (
        <p key={shown} className={classes.price} data-minor={(interval && interval !== shown) || undefined}>
          <span className={classes.amount}>
            <span className={classes.currency}>US$</span>
            <strong className={classes.figure}>{formatUsAmount(prices[shown])}</strong>
          </span>{" "}
          <span className={layout.muted}>{periods[shown]}</span>{" "}
          <span className={layout.muted}>{formatAud(withGst[shown])} incl. GST</span>{" "}
          {shown === "yearly" && saved > 0 && <span className={classes.saved}>saves {formatUsd(saved)}</span>}
        </p>
      ))}
    </div>
  );
}
