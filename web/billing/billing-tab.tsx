import { Stack, Text, Title } from "@mantine/core";
import { IconReceiptRefund, IconRefresh } from "@tabler/icons-react";
import { findLabel } from "#schema/closed-list.ts";
import { paymentMethods } from "#schema/manual-invoice.ts";
import { formatAud } from "#schema/money.ts";
import {
  InvoicesDocument,
  type StaffPaymentFieldsFragment,
  type UserBillingQuery,
  useUserBillingQuery,
} from "#web/generated/graphql.ts";
import { refreshUserSummary } from "#web/people/refresh-user-summary.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { paymentColumns } from "#web/billing/subscriptions/payments-table.tsx";
import { Callout } from "#web/ui/callout.tsx";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { CustomerBillingContact } from "./billing-contacts/billing-contact.tsx";
import { UserInvoices } from "./invoices/user-invoices.tsx";
import { StaffSubscriptionCard } from "./subscriptions/staff-subscription-card.tsx";

type StaffPayment = StaffPaymentFieldsFragment & {
  readonly method?: string;
  /** Reference that staff recorded with a payment received. */
  readonly reference?: string | null | undefined;
  /** False for a payment of an invoice that isn't paid in full, or is void. */
  readonly canBeRefunded?: boolean;
};

/**
 * Returns the charges of subscriptions and the payments received for invoices, newest first. A refund of an invoice counts for
 * its card payment first, as refunding does, and for each payment at most once.
 */
function listPayments({ paymentAttempts, receivedPayments, refunds }: UserBillingQuery["user"]): StaffPayment[] {
  const left = new Map<string, number>();
  for (const { status, taxInvoice, amountCents } of refunds)
    if (status === "DONE") left.set(taxInvoice.id, (left.get(taxInvoice.id) ?? 0) + amountCents);
  const cardsFirst = receivedPayments.toSorted((a, b) => Number(b.method === "CARD") - Number(a.method === "CARD"));
  const received = cardsFirst.map(({ id, amountCents, method, reference, receivedAt, invoice }): StaffPayment => {
    const invoiceId = invoice.taxInvoiceId ?? "";
    const leftCents = left.get(invoiceId) ?? 0;
    const refundedCents = Math.min(leftCents, amountCents);
    left.set(invoiceId, leftCents - refundedCents);
    return {
      id,
      at: receivedAt,
      amountCents,
      refundedCents,
      status: refundedCents === 0 ? "PAID" : refundedCents < amountCents ? "PARTLY_REFUNDED" : "REFUNDED",
      reason: null,
      nextRetryAt: null,
      cardBrand: null,
      cardLast4: null,
      method: findLabel(paymentMethods, method),
      reference,
      canBeRefunded: invoice.status === "PAID",
      taxInvoice: invoice.taxInvoiceId ? { id: invoice.taxInvoiceId, number: invoice.number ?? "" } : null,
    };
  });
  return [...paymentAttempts, ...received].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

const columns: readonly Column<StaffPayment>[] = (paymentColumns as readonly Column<StaffPayment>[]).toSpliced(
  3,
  0,
  { title: "Invoice", text: ({ taxInvoice }) => taxInvoice?.number ?? "", wrap: "never" },
  { title: "Reference", text: ({ reference }) => reference ?? "", wrap: "anywhere" },
);

/** A customer's subscription, payments, invoices and credit, with the actions of staff. */
export function BillingTab({ userId }: { userId: string }) {
  const query = useUserBillingQuery({ variables: { userId } });
  const { data, refetch, client } = query;
  const isFinance = useStaffRole("finance");
  const openDialog = useOpenDialog();
  const reload = () => {
    void refetch().catch(() => undefined);
    refreshUserSummary(client);
    // A refund adds an adjustment note.
    void client.refetchQueries({ include: [InvoicesDocument] }).catch(() => undefined);
  };
  const openRefund = (invoice: StaffPaymentFieldsFragment["taxInvoice"]) =>
    invoice && openDialog(() => import("./refunds/refund-dialog.tsx"), { invoice, onDone: reload });
  const canRefund = ({ status, taxInvoice, canBeRefunded = true }: StaffPayment) =>
    isFinance && canBeRefunded && taxInvoice !== null && status !== "REFUNDED";
  const user = data?.user;
  useRequestedAction(
    {
      refund: (invoiceId) => {
        const payment = user?.paymentAttempts.find(({ taxInvoice }) => taxInvoice?.id === invoiceId);
        if (payment && canRefund(payment)) openRefund(payment.taxInvoice);
      },
    },
    user !== undefined,
  );
  if (!user)
    return (
      <Loaded
        query={query}
        failure="Unable to load the payments."
        loading="Loading the subscription and payments"
        tall
      />
    );
  const [subscription] = user.billingSubscriptions;
  const pending = user.refunds.filter(({ status }) => status === "PENDING");

  function getActions(payment: StaffPayment) {
    const { status, nextRetryAt, taxInvoice } = payment;
    const retried = status === "FAILED" && nextRetryAt !== null && subscription?.status === "PAST_DUE" && subscription;
    const retry = (overdue: NonNullable<typeof subscription>) => () =>
      openDialog(() => import("./subscriptions/subscription-action-dialog.tsx"), {
        subscription: overdue,
        kind: "RETRY_PAYMENT",
        onDone: reload,
      });
    return [
      ...(retried ? [{ label: "Retry Payment", icon: IconRefresh, onSelect: retry(retried) }] : []),
      ...(canRefund(payment)
        ? [{ label: "Refund", icon: IconReceiptRefund, onSelect: () => void openRefund(taxInvoice) }]
        : []),
    ];
  }

  return (
    <Stack gap="lg">
      {subscription ? (
        <StaffSubscriptionCard subscription={subscription} onDone={reload} />
      ) : (
        <Text c="dimmed">This user has never had a subscription.</Text>
      )}
      {pending.map(({ id, amountCents, taxInvoice }) => (
        <Callout key={id} tone="notice">
          <p>
            The refund of {formatAud(amountCents)} for invoice {taxInvoice.number} isn't confirmed by the payment
            provider yet. We retry automatically.
          </p>
        </Callout>
      ))}
      <section aria-labelledby="payments-of-user">
        <Title order={2} fz="h3" mb="sm" id="payments-of-user">
          Payments
        </Title>
        <DataTable<StaffPayment>
          name="Payments"
          columns={columns}
          rows={listPayments(user)}
          rowId={({ id }) => id}
          rowLabel={({ taxInvoice, amountCents }) => taxInvoice?.number ?? formatAud(amountCents)}
          actions={getActions}
          pageSize={10}
          emptyMessage="No payments yet."
        />
      </section>
      <section aria-labelledby="invoices-of-user">
        <Title order={2} fz="h3" mb="sm" id="invoices-of-user">
          Invoices
        </Title>
        <UserInvoices userId={userId} isActive={user.isActive} />
      </section>
      <CustomerBillingContact userId={userId} />
    </Stack>
  );
}
