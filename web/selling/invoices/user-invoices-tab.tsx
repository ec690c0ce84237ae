import { Card, DataList, Group, Text, Title } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useSearchParams } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { formatDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { type UserInvoicesQuery, useUserInvoicesQuery } from "#web/generated/graphql.ts";
import { formatError } from "#web/platform/server-error.ts";
import { useUrlList } from "#web/lists/use-url-list.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { DownloadInvoice, invoiceColumns } from "./tax-invoices-table.tsx";

type UserInvoice = UserInvoicesQuery["user"]["invoices"][number];

/** Table of a customer's invoices and adjustment notes for staff. `?invoice=ID` shows one of them above the list. */
export function UserInvoicesTab({ userId }: { userId: string }) {
  const list = useUrlList({ pageSize: 10 });
  const { data, error, refetch } = useUserInvoicesQuery({ variables: { userId } });
  const [search] = useSearchParams();
  const invoices = data?.user.invoices;
  const opened = invoices?.find(({ id }) => id === search.get("invoice"));
  return (
    <>
      {opened && <OpenedInvoice key={opened.id} invoice={opened} />}
      <DataTable
        name="Invoices"
        columns={invoiceColumns}
        rows={invoices}
        rowId={({ id }) => id}
        list={list}
        action={(invoice) => (
          <DownloadInvoice invoice={invoice} path="/v1/admin/taxInvoice">
            Download PDF
          </DownloadInvoice>
        )}
        emptyMessage="No invoices."
        error={error && !invoices ? formatError(error, "Unable to load the invoices.") : undefined}
        onRetry={() => void refetch().catch(() => undefined)}
      />
    </>
  );
}

function OpenedInvoice({ invoice }: { invoice: UserInvoice }) {
  const title = `${invoice.kind === "adjustment" ? "Adjustment note" : "Tax invoice"} ${invoice.number}`;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card component="section" withBorder radius="lg" padding="lg" mb="lg" aria-labelledby="opened-invoice">
      <Group justify="space-between" gap="sm">
        <Title order={2} fz="1.25rem" ref={heading} id="opened-invoice" tabIndex={-1}>
          {title}
        </Title>
        <DownloadInvoice invoice={invoice} path="/v1/admin/taxInvoice">
          Download PDF
        </DownloadInvoice>
      </Group>
      <Text c="dimmed" my="sm">
        {invoice.description}
      </Text>
      <DataList orientation="vertical" gap="0.75rem 2.5rem" style={{ flexFlow: "row wrap" }}>
        <Fact name="Issued" value={formatDate(invoice.issuedAt, brand.timeZone)} />
        <Fact name={getPaidLabel(invoice)} value={formatPaidDate(invoice)} />
        <Fact name="GST" value={formatAud(invoice.gstCents)} />
        <Fact name="Total" value={formatAud(invoice.totalCents)} />
      </DataList>
    </Card>
  );
}

const getPaidLabel = ({ kind }: UserInvoice) => (kind === "adjustment" ? "Refunded" : "Paid");

const formatPaidDate = ({ paidAt }: UserInvoice) => (paidAt ? formatDate(paidAt, brand.timeZone) : "Not yet");

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{name}</DataList.ItemLabel>
      <DataList.ItemValue fw={600}>{value}</DataList.ItemValue>
    </DataList.Item>
  );
}
