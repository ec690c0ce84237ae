import { Anchor, Button, Card, Group, Stack, Text, Title, List } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { findLabel } from "#schema/closed-list.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { documentKinds } from "#schema/manual-invoice.ts";
import { formatAud } from "#schema/money.ts";
import { formatNumber } from "#schema/numbers.ts";
import {
  type InvoiceRowFragment,
  type InvoicesQuery,
  useCustomerCreditQuery,
  useInvoicesQuery,
  UserBillingDocument,
  type CustomerCreditQuery,
} from "#web/generated/graphql.ts";
import { paths } from "#web/platform/paths.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { StatementButton } from "#web/billing/statements/statement-button.tsx";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { downloadInvoice, useInvoiceActions } from "./use-invoice-actions.tsx";
import { invoiceColumns } from "./invoice-columns.tsx";
import { formatInvoiceStatus } from "./invoice-status-badge.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { FactRow } from "#web/ui/fact-cards.tsx";

/** Number of invoices that one customer's table loads. */
const MAX_ROWS = 100;

interface UserInvoicesProps {
  userId: string;
  /** An archived or deleted account gets no invoices and no credit. */
  isActive: boolean;
}

/** Table of a customer's invoices and adjustment notes, with credit. `?invoice=ID` shows one of them above the list. */
export function UserInvoices({ userId, isActive }: UserInvoicesProps) {
  const list = useUrlList({ pageSize: 10 });
  const { data, error, refetch, client } = useInvoicesQuery({ variables: { filter: { userId }, first: MAX_ROWS } });
  const credit = useCustomerCreditQuery({ variables: { userId } });
  const [search] = useSearchParams();
  const openDialog = useOpenDialog();
  const canEdit = useStaffRole("finance");
  const canInvoice = canEdit && isActive;
  const create = () => openDialog(() => import("./invoice-dialog.tsx"), { userId, invoiceId: null, onDone: reload });
  const addCredit = () =>
    openDialog(() => import("#web/billing/credits/add-credit-dialog.tsx"), { userId, onDone: reload });
  useRequestedAction({
    "create-invoice": () => canInvoice && create(),
    "add-credit": () => canInvoice && addCredit(),
    "add-seats": (licenceId) =>
      canEdit &&
      openDialog(() => import("#web/billing/seats/add-seats-dialog.tsx"), { userId, licenceId, onDone: reload }),
  });
  const reload = () => {
    void refetch().catch(() => undefined);
    void credit.refetch().catch(() => undefined);
    // A refund changes the payment.
    void client.refetchQueries({ include: [UserBillingDocument] }).catch(() => undefined);
  };
  const actions = useInvoiceActions(reload);
  const rows = data?.invoices.rows;
  const wanted = search.get("invoice");
  const listed = rows?.find(({ id }) => id === wanted);
  const { data: older } = useInvoicesQuery({
    variables: { filter: { userId, id: wanted }, first: 1 },
    skip: !rows || !wanted || listed !== undefined,
  });
  const shown = listed ?? older?.invoices.rows[0];
  return (
    <Stack gap="lg">
      {shown && <OpenedInvoice key={shown.id} invoice={shown} />}
      <DataTable
        name="Invoices"
        columns={invoiceColumns}
        rows={rows}
        rowId={({ id }) => id}
        rowLabel={({ number }) => number ?? "draft"}
        list={list}
        actions={actions}
        notice={data && <OlderInvoices {...data.invoices} />}
        toolbar={
          <>
            <StatementButton userId={userId} />
            {canInvoice && (
              <>
                <Button size="sm" variant="default" onClick={addCredit}>
                  Add Credit
                </Button>
                <Button size="sm" leftSection={<IconPlus size={17} stroke={1.8} aria-hidden="true" />} onClick={create}>
                  Create Invoice
                </Button>
              </>
            )}
          </>
        }
        emptyMessage="No invoices."
        error={rows ? undefined : error}
        failure="Unable to load the invoices."
        onRetry={reload}
      />
      {credit.data && <CustomerCredit credit={credit.data.customerCredit} />}
    </Stack>
  );
}

/** Says how many invoices the table leaves out, and links to the list of all of them. */
function OlderInvoices({ rows, total }: Pick<InvoicesQuery["invoices"], "rows" | "total">) {
  const [newest] = rows;
  if (!newest || total <= rows.length) return null;
  return (
    <Text size="sm" c="dimmed">
      Showing the newest {rows.length} of {formatNumber(total)}.{" "}
      <Anchor
        component={Link}
        inherit
        to={`${paths.adminInvoices.href()}?customer=${encodeURIComponent(newest.customerName)}`}
      >
        All invoices of {newest.customerName}
      </Anchor>
    </Text>
  );
}

function OpenedInvoice({ invoice }: { invoice: InvoiceRowFragment }) {
  const { kind, number, issuedAt, dueAt, paidAt, description, gstCents, totalCents, balanceCents } = invoice;
  const { replacesNumber, replacedByNumber } = invoice;
  const title = number ? `${findLabel(documentKinds, kind)} ${number}` : "Draft invoice";
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card component="section" padding="lg" aria-labelledby="opened-invoice">
      <Group justify="space-between" gap="sm">
        <Title order={2} fz="1.25rem" ref={heading} id="opened-invoice" tabIndex={-1}>
          {title}
        </Title>
        {number && (
          <BusyButton variant="default" size="sm" onPress={() => downloadInvoice(invoice)}>
            Download PDF
          </BusyButton>
        )}
      </Group>
      <Text c="dimmed" my="sm">
        {description}
      </Text>
      <FactRow
        weight={600}
        facts={[
          ["Status", formatInvoiceStatus(invoice)],
          [number ? "Issued" : "Created", <Moment key="issued" at={issuedAt} as={formatSellerDate} />],
          dueAt && ["Due date", <Moment key="due" at={dueAt} as={formatSellerDate} />],
          paidAt && [
            kind === "ADJUSTMENT" ? "Refunded" : "Paid",
            <Moment key="paid" at={paidAt} as={formatSellerDate} />,
          ],
          ["GST", formatAud(gstCents)],
          ["Total", formatAud(totalCents)],
          replacesNumber && ["Replaces", replacesNumber],
          replacedByNumber && ["Re-issued as", replacedByNumber],
          balanceCents > 0 && ["Balance", formatAud(balanceCents)],
        ]}
      />
    </Card>
  );
}

/** Shows a customer's credit and its changes. Renders nothing if there never was any. */
function CustomerCredit({ credit }: { credit: CustomerCreditQuery["customerCredit"] }) {
  if (credit.entries.length === 0) return null;
  return (
    <section aria-labelledby="credit">
      <Group gap="xs" mb="xs">
        <Title order={2} size="h4" id="credit">
          Credit
        </Title>
        <Text fw={650}>{formatAud(credit.balanceCents)}</Text>
      </Group>
      <List listStyleType="none" spacing={4} size="sm">
        {credit.entries.map(({ id, amountCents, goodwillCents, reason, createdAt }) => (
          <List.Item key={id}>
            <Moment at={createdAt} as={formatSellerDate} />: {amountCents > 0 ? "+" : ""}
            {formatAud(amountCents)}, {reason}
            {goodwillCents === 0
              ? ""
              : goodwillCents === amountCents
                ? " (goodwill)"
                : ` (goodwill ${formatAud(goodwillCents)})`}
          </List.Item>
        ))}
      </List>
    </section>
  );
}
