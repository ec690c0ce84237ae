import { Anchor, Checkbox, Code, List, Stack, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import type { BulkRunQuery, BulkRunState } from "#web/generated/graphql.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import type { TableList } from "#web/ui/table/use-list-table.ts";
import { RowBadge, formatRowState } from "./bulk-state.tsx";

export type BulkRowFields = BulkRunQuery["bulkRun"]["rows"]["rows"][number];

export interface BulkRowsTableProps {
  /** State of the run. */
  run: BulkRunState;
  rows: readonly BulkRowFields[] | undefined;
  list: TableList<BulkRowFields>;
  /** Error message if a page or search could not be loaded. */
  error: unknown;
  onRetry: () => void;
  onlyFaults: boolean;
  onOnlyFaults: (onlyFaults: boolean) => void;
}

/** Lists the rows of a run with their planned change or result. */
export function BulkRowsTable(props: BulkRowsTableProps) {
  const { run, rows, list, error, onRetry, onlyFaults, onOnlyFaults } = props;
  const isPlanned = run === "CHECKING" || run === "READY";
  const columns: readonly Column<BulkRowFields>[] = [
    { title: "Row", text: (row) => String(row.rowNumber), align: "right" },
    {
      title: "Subject",
      text: (row) => row.label,
      wrap: "anywhere",
      render: (row) => (
        <Stack gap={2} align="flex-start">
          {row.userId ? (
            <Anchor component={Link} inherit to={paths.updateUser.href({ id: row.userId })}>
              {row.label}
            </Anchor>
          ) : (
            row.label || "–"
          )}
          {row.supportCode && row.supportCode !== row.label && <Code>{row.supportCode}</Code>}
        </Stack>
      ),
    },
    {
      title: "State",
      text: (row) => formatRowState(row.state, run),
      render: (row) => <RowBadge state={row.state} run={run} />,
    },
    {
      title: isPlanned ? "Planned change" : "Result",
      text: (row) => row.says,
      wrap: "anywhere",
      render: (row) => <RowMessage row={row} />,
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
      failure="Unable to load the rows."
      onRetry={onRetry}
      emptyMessage={onlyFaults ? "No rows with errors." : "No rows."}
      toolbar={
        <Checkbox
          size="sm"
          mb="xs"
          label="Errors only"
          checked={onlyFaults}
          onChange={({ currentTarget }) => onOnlyFaults(currentTarget.checked)}
        />
      }
    />
  );
}

function RowMessage({ row }: { row: BulkRowFields }) {
  if (row.faults.length === 0) return row.says;
  return (
    <List listStyleType="none" size="sm">
      {row.faults.map(({ column, message }) => (
        <List.Item key={`${column} ${message}`}>
          <Text span inherit fw={600}>
            {column}
          </Text>{" "}
          {message}
        </List.Item>
      ))}
    </List>
  );
}
