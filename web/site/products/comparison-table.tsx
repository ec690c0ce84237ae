import { formatUsd } from "#schema/money.ts";
import layout from "#web/ui/layout.module.css";
import classes from "./comparison-table.module.css";
import { usePlanPrices } from "./plan-prices.ts";

/** A feature and the `id` of the lowest level that includes it. */
export interface ComparisonRow {
  readonly what: string;
  readonly from: string;
}

export interface ComparisonTableProps {
  /** Heading of the first column. */
  heading: string;
  /** From the lowest level to the highest. With `slug`, the table ends with the prices. */
  levels: readonly { readonly id: string; readonly name: string; readonly label: string; readonly slug?: string }[];
  rows: readonly ComparisonRow[];
}

const prices = [
  { label: "Price per month", interval: "monthly" },
  { label: "Price per year", interval: "yearly" },
] as const;

/**
 * Compares the levels' features as a schedule: each feature's bar starts at the lowest level that includes it. Cells
 * have text for screen readers.
 */
export function ComparisonTable({ heading, levels, rows }: ComparisonTableProps) {
  const getPrices = usePlanPrices();
  return (
    <table className={`${layout.card} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">{heading}</th>
          {levels.map(({ id, name, label }) => (
            <th key={id} scope="col">
              {name} <span className={classes.note}>{label}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ what, from }) => {
          const first = levels.findIndex(({ id }) => id === from);
          return (
            <tr key={what}>
              <th scope="row">{what}</th>
              {levels.map(({ id }, index) => (
                <td key={id} data-level={index < first ? undefined : from} data-start={index === first || undefined}>
                  <span className={layout.hidden}>{index < first ? "Not included" : "Included"}</span>
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
      {levels[0]?.slug && (
        <tfoot>
          {prices.map(({ label, interval }) => (
            <tr key={interval}>
              <th scope="row">{label}</th>
              {levels.map(({ id, slug = "" }) => (
                <td key={id}>{formatUsd(getPrices(slug)[interval])}</td>
              ))}
            </tr>
          ))}
        </tfoot>
      )}
    </table>
  );
}
