import { Anchor, Group, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import { findLabel } from "#schema/closed-list.ts";
import { formatSellerTableDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import type { ReportFormat } from "#schema/report.ts";
import { entryKinds } from "#schema/tax.ts";
import type { EntryPageFieldsFragment as Page } from "#web/generated/graphql.ts";
import type { RemoteList } from "#web/ui/lists/use-remote-list.ts";
import { paths, userTabHref } from "#web/platform/paths.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { type ReportDownload, useReportDownload } from "#web/ui/report-download/use-report-download.tsx";
import { DownloadMenu, fileFormats } from "./download-menu.tsx";
import { moneyColumn, momentColumn } from "#web/ui/table/columns.tsx";

type Row = Page["rows"][number];

interface EntriesTableProps {
  name: string;
  dateTitle: string;
  remote: RemoteList;
  page: Page | undefined;
  error: Error | undefined;
  onRetry: () => unknown;
  /** Starts the download of these rows. */
  startExport: (start: ReportDownload["start"], choice: { format: ReportFormat; search?: string }) => void;
  emptyMessage: string;
}

/** Lists the rows that add up to a figure, with their sum and a file of them. */
export function EntriesTable(props: EntriesTableProps) {
  const { name, dateTitle, remote, page, error, onRetry, startExport, emptyMessage } = props;
  const download = useReportDownload();
  const { search } = remote;
  return (
    <>
      <DataTable<Row>
        name={name}
        columns={[
          momentColumn(dateTitle, ({ at }) => at, formatSellerTableDate),
          {
            title: "Number",
            text: ({ number }) => number,
            wrap: "never",
            render: ({ number, userId }) => (
              <Anchor
                component={Link}
                inherit
                to={number ? `${paths.adminInvoices.href()}?q=${number}` : userTabHref(userId, "billing")}
              >
                {number || "Open user"}
              </Anchor>
            ),
          },
          { title: "Document", text: ({ kind }) => findLabel(entryKinds, kind), wrap: "never" },
          { title: "Customer", text: ({ customer }) => customer },
          { title: "Description", text: ({ description }) => description },
          moneyColumn("Total", ({ totalCents }) => totalCents),
          moneyColumn("GST", ({ gstCents }) => gstCents),
          moneyColumn("Counted", ({ amountCents }) => amountCents),
        ]}
        dense
        remote={remote.toTableList(page)}
        rows={page?.rows}
        rowId={({ id, kind, at }) => `${id} ${kind} ${at}`}
        emptyMessage={emptyMessage}
        toolbar={
          <Group gap="md">
            <Text fw={600} role="status">
              {page ? `Sum: ${formatAud(page.sumCents)}` : ""}
            </Text>
            <DownloadMenu
              label="Export these rows"
              choices={fileFormats}
              onChoose={(format) => startExport(download.start, { format, ...(search ? { search } : {}) })}
            />
          </Group>
        }
        error={page ? undefined : error}
        failure="Unable to load the rows."
        onRetry={onRetry}
      />
      {download.progress}
    </>
  );
}
