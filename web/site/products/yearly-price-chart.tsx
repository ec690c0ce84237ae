import type { CSSProperties } from "react";
import { formatUsd } from "#schema/money.ts";
import { usePlanPrices } from "./plan-prices.ts";
import { paint } from "#web/ui/pictures/paint.ts";
import layout from "#web/ui/layout.module.css";

const months = Array.from({ length: 12 }, (_, month) => month);
const row: CSSProperties = { justifyContent: "space-between", fontSize: "0.9375rem" };
const percent = (value: number) => `${value.toFixed(2)}%`;

/** Chart that compares twelve monthly payments with one yearly payment, to the same scale. Missing if a year saves nothing. */
export function YearlyPriceChart({ slug }: { slug: string }) {
  const { yearly, twelveMonths, yearlyShare, saved, isOnSale } = usePlanPrices()(slug);
  if (!isOnSale || saved === 0) return null;
  return (
    <figure style={{ display: "grid", gap: "1.375rem", margin: 0, fontVariantNumeric: "tabular-nums" }}>
      <div className={layout.actions} style={row}>
        <span>Twelve monthly payments</span>
        <b>{formatUsd(twelveMonths)}</b>
        <svg width="100%" height="18" overflow="visible" aria-hidden="true" focusable="false">
          {months.map((month) => (
            <rect
              key={month}
              fill={paint("bar-soft")}
              x={percent((month * 100) / 12)}
              width="7.75%"
              height="18"
              rx="4"
            />
          ))}
        </svg>
      </div>
      <div className={layout.actions} style={row}>
        <span>One yearly payment</span>
        <b>{formatUsd(yearly)}</b>
        <svg width="100%" height="18" overflow="visible" aria-hidden="true" focusable="false">
          <rect fill={paint("bar")} width={percent(yearlyShare)} height="18" rx="4" />
          <rect
            fill="none"
            stroke={paint("milestone")}
            strokeWidth="1.5"
            strokeDasharray="4 3"
            x={percent(yearlyShare + 0.6)}
            y="1"
            width={percent(Math.max(0, 98.8 - yearlyShare))}
            height="16"
            rx="4"
          />
        </svg>
      </div>
      <figcaption className={layout.note}>
        Paying yearly comes to <strong>{formatUsd(Math.round(yearly / 12))} a month</strong>,{" "}
        {Math.floor(100 - yearlyShare)}% less.
      </figcaption>
    </figure>
  );
}
