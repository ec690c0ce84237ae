import { formatUsd } from "#schema/money.ts";
import classes from "./comparison-table.module.css";
import type { NamedLevel } from "./level-icon.tsx";
import { getPlanPrices } from "./plan-prices.ts";

export interface ComparisonTableProps {
  /** Heading of the first column. */
  heading: string;
  /** From the lowest level to the highest. */
  levels: readonly (NamedLevel & { readonly id: string; readonly slug: string })[];
  /** `from` is the `id` of the lowest level that includes the feature. */
  rows: readonly { readonly what: string; readonly from: string }[];
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
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{heading}</th>
          {levels.map(({ id, name, label, retiring }) => (
            <th key={id} scope="col">
              {name}{" "}
              <span className={classes.note} data-flagship={!retiring || undefined}>
                {label}
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const first = levels.findIndex(({ id }) => id === row.from);
          return (
            <tr key={row.what}>
              <th scope="row">{row.what}</th>
              {levels.map(({ id }, index) => (
                <td
                  key={id}
                  data-bar={index < first ? undefined : index === first ? "start" : "on"}
                  data-from={index < first ? undefined : row.from}
                >
                  <span className={classes.words}>{index < first ? "Not included" : "Included"}</span>
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
      <tfoot>
        {prices.map(({ label, interval }) => (
          <tr key={interval}>
            <th scope="row">{label}</th>
            {levels.map(({ slug }) => (
              <td key={slug}>{formatUsd(getPlanPrices(slug)[interval])}</td>
            ))}
          </tr>
        ))}
      </tfoot>
    </table>
  );
}
