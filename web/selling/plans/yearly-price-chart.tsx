import { formatUsd } from "#schema/money.ts";
import { getPlanPrices } from "./plan-prices.ts";
import classes from "./yearly-price-chart.module.css";

const months = Array.from({ length: 12 }, (_, month) => month);
const percent = (value: number) => `${value.toFixed(2)}%`;

/** Chart that compares twelve monthly payments with one yearly payment, to the same scale. */
export function YearlyPriceChart({ slug }: { slug: string }) {
  const { yearly, twelveMonths, yearlyShare } = getPlanPrices(slug);
  return (
    <figure className={classes.figure}>
      <div className={classes.row}>
        <span>Twelve monthly payments</span>
        <b>{formatUsd(twelveMonths)}</b>
        <svg className={classes.bars} height="18" aria-hidden="true" focusable="false">
          {months.map((month) => (
            <rect
              key={month}
              className={classes.month}
              x={percent((month * 100) / 12)}
              width="7.75%"
              height="18"
              rx="4"
            />
          ))}
        </svg>
      </div>
      <div className={classes.row}>
        <span>One yearly payment</span>
        <b>{formatUsd(yearly)}</b>
        <svg className={classes.bars} height="18" aria-hidden="true" focusable="false">
          <rect className={classes.year} width={percent(yearlyShare)} height="18" rx="4" />
          <rect
            className={classes.saved}
            x={percent(yearlyShare + 0.6)}
            y="1"
            width={percent(98.8 - yearlyShare)}
            height="16"
            rx="4"
          />
        </svg>
      </div>
      <figcaption className={classes.caption}>
        Paying yearly comes to <strong>{formatUsd(Math.round(yearly / 12))} a month</strong>,{" "}
        {Math.round(100 - yearlyShare)} % less.
      </figcaption>
    </figure>
  );
}
