import { Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { formatSellerDate } from "#schema/dates.ts";
import { BELOW_CARD_MINIMUM, formatAud, isBelowCardMinimum } from "#schema/money.ts";
import { DownloadInvoice } from "#web/billing/invoices/download-invoice.tsx";
import { InvoiceStatusBadge } from "#web/billing/invoices/invoice-status-badge.tsx";
import type { MyInvoicesQuery } from "#web/generated/graphql.ts";
import { Section } from "#web/ui/page-layout.tsx";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { FactRow } from "#web/ui/fact-cards.tsx";

export type MyInvoice = MyInvoicesQuery["myInvoices"][number];

/** Shows the customer's unpaid invoices with the bank account, and the credit. Renders nothing without either. */
export function OpenInvoices({ data, onPaid }: { data: MyInvoicesQuery; onPaid: () => void }) {
  const openDialog = useOpenDialog();
  const pay = (invoice: MyInvoice) => openDialog(() => import("./pay-invoice-dialog.tsx"), { invoice, onPaid });
  const { myInvoices, sellerBankAccount: bank, myCredit } = data;
  const open = myInvoices.filter(({ balanceCents }) => balanceCents > 0);
  return (
    <>
      {open.length > 0 && (
        <Section title="To pay">
          <Stack gap="md">
            {open.map((invoice) => (
              <Card key={invoice.id} component="section" aria-label={`Invoice ${invoice.number}`} padding="lg">
                <Group justify="space-between" align="flex-start" gap="sm">
                  <div>
                    <Group gap="xs">
                      <Title order={3} size="h4">
                        Invoice {invoice.number}
                      </Title>
                      <InvoiceStatusBadge row={invoice} />
                    </Group>
                    <Text c="dimmed" size="sm">
                      {invoice.description}
                      {invoice.purchaseOrder && `, ${invoice.purchaseOrder}`}
                    </Text>
                  </div>
                  <Group gap="xs">
                    {invoice.manualInvoiceId && !isBelowCardMinimum(invoice.balanceCents) && (
                      <Button size="xs" aria-label={`Pay ${invoice.number}`} onClick={() => pay(invoice)}>
                        Pay
                      </Button>
                    )}
                    <DownloadMyInvoice invoice={invoice} />
                  </Group>
                </Group>
                {invoice.manualInvoiceId && isBelowCardMinimum(invoice.balanceCents) && (
                  <Text size="sm" mt="sm">
                    {BELOW_CARD_MINIMUM}
                  </Text>
                )}
                <FactRow
                  mt="md"
                  weight={600}
                  facts={[
                    ["Amount due", formatAud(invoice.balanceCents)],
                    invoice.dueAt && ["Due date", <Moment key="due" at={invoice.dueAt} as={formatSellerDate} />],
                    ["Account name", bank.accountName],
                    ["BSB", bank.bsb],
                    ["Account number", bank.accountNumber],
                    ["Reference", invoice.number],
                  ]}
                />
              </Card>
            ))}
          </Stack>
        </Section>
      )}
      {myCredit.entries.length > 0 && (
        <Section title="Credit">
          <Text mb="xs">
            You have <b>{formatAud(myCredit.balanceCents)}</b> in credit. It reduces the next invoices that we write for
            you, not the card payments for a subscription.
          </Text>
          <Stack gap={4}>
            {myCredit.entries.map(({ id, amountCents, reason, createdAt }) => (
              <Text key={id} size="sm" c="dimmed">
                <Moment at={createdAt} as={formatSellerDate} />: {amountCents > 0 ? "+" : ""}
                {formatAud(amountCents)}, {reason}
              </Text>
            ))}
          </Stack>
        </Section>
      )}
    </>
  );
}

/** Button that downloads one of the customer's invoices as a PDF. */
export function DownloadMyInvoice({ invoice: { id, number } }: { invoice: Pick<MyInvoice, "id" | "number"> }) {
  const path = `/v1/core/accounts/invoices/${id}/download`;
  return <DownloadInvoice number={number} path={path} failure="Unable to download the invoice." />;
}
