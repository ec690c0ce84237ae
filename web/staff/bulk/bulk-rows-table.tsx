import { Link } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import type { BulkRunQuery } from "#web/generated/graphql.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import type { TableList } from "#web/ui/table/use-client-list.ts";
import { RowBadge, wordsOfRow } from "./bulk-state.tsx";
import classes from "./bulk.module.css";

/** A row of a run as its page shows it. */
export type ShownRow = BulkRunQuery["bulkRun"]["rows"]["rows"][number];

export interface BulkRowsTableProps {
  /** The state of their run. */
  run: string;
  rows: readonly ShownRow[] | undefined;
  list: TableList<ShownRow>;
  /** The sentence when another page or search could not be fetched. */
  error: string | undefined;
  onRetry: () => void;
  onlyFaults: boolean;
  onOnlyFaults: (onlyFaults: boolean) => void;
}

/** Row by row what would happen, or what came of it. */
export function BulkRowsTable(props: BulkRowsTableProps) {
  const { run, rows, list, error, onRetry, onlyFaults, onOnlyFaults } = props;
  const isAhead = run === "checking" || run === "ready";
  const columns: readonly Column<ShownRow>[] = [
    { title: "Row", text: (row) => String(row.rowNumber) },
    {
      title: "Subject",
      text: (row) => row.label,
      render: (row) => (
        <span className={classes.subject}>
          {row.userId ? <Link to={paths.updateUser.href({ id: row.userId })}>{row.label}</Link> : row.label || "–"}
          {row.supportCode && row.supportCode !== row.label && <code>{row.supportCode}</code>}
        </span>
      ),
    },
    {
      title: "State",
      text: (row) => wordsOfRow(row.state, run),
      render: (row) => <RowBadge state={row.state} run={run} />,
    },
    {
      title: isAhead ? "What Would Happen" : "What Happened",
      text: (row) => row.says,
      render: (row) => <Says row={row} />,
    },
  ];
  return (
    <DataTable
      name="Rows"
      columns={columns}
      remote={list}
      rows={rows}
      rowId={(row) => String(row.rowNumber)}
      error={error}
      onRetry={onRetry}
      emptySentence={onlyFaults ? "No row has a fault." : "No rows."}
      toolbar={
        <label className={classes.only}>
          <input
            type="checkbox"
            checked={onlyFaults}
            onChange={({ currentTarget }) => onOnlyFaults(currentTarget.checked)}
          />
          Only faults
        </label>
      }
    />
  );
}

function Says({ row }: { row: ShownRow }) {
  if (row.faults.length === 0) return <span className={classes.says}>{row.says}</span>;
  return (
    <ul className={classes.faults}>
      {row.faults.map(({ column, message }) => (
        <li key={`${column} ${message}`}>
          <b>{column}</b> {message}
        </li>
      ))}
    </ul>
  );
}
