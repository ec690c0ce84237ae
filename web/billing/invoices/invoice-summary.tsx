import { List, Text } from "@mantine/core";
import { productLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import { formatDay, formatSellerDate } from "#schema/dates.ts";
import { defaultCountry } from "#schema/limits.ts";
import { formatAud, GST_BASIS_POINTS } from "#schema/money.ts";
import { formatCount } from "#schema/numbers.ts";
import {
  type InvoicedCustomerQuery,
  type ManualInvoiceInput,
  type ManualInvoiceLineInput,
  useInvoicePreviewQuery,
} from "#web/generated/graphql.ts";
import { Facts } from "#web/ui/fact-cards.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { Loaded } from "#web/ui/loaded.tsx";

export type InvoicedCustomer = InvoicedCustomerQuery["user"];

interface InvoiceSummaryProps {
  customer: InvoicedCustomer;
  lines: readonly ManualInvoiceLineInput[];
  draft: {
    dueAt?: string | null;
    purchaseOrder?: string | null;
    licenceTerms?: ManualInvoiceInput["licence"];
  };
}

/** Shows what issuing an invoice does: amounts, GST, credit, due date, licence and email. */
export function InvoiceSummary({ customer, lines, draft }: InvoiceSummaryProps) {
  const query = useInvoicePreviewQuery({
    variables: {
      userId: customer.id,
      lines: lines.map(({ description, quantity, unitCents }) => ({ description, quantity, unitCents })),
    },
    fetchPolicy: "network-only",
  });
  if (!query.data)
    return <Loaded query={query} failure="Unable to calculate the invoice." loading="Calculating the invoice" />;
  const { amountCents, discountCents, gstCents, totalCents, creditCents, defaultDueAt } = query.data.invoicePreview;
  const purchaseOrder = draft.purchaseOrder || query.data.invoicePreview.defaultPurchaseOrder;
  const terms = draft.licenceTerms;
  return (
    <>
      <Facts
        gap="xs"
        labelWidth={discountCents > 0 ? "13rem" : undefined}
        facts={[
          ["Subtotal", formatAud(amountCents)],
          discountCents > 0 && ["Discount, from goodwill credit", `−${formatAud(discountCents)}`],
          // Credit can leave nothing on which an Australian customer pays GST.
          [
            gstCents > 0 || customer.country === defaultCountry
              ? `GST ${GST_BASIS_POINTS / 100}%`
              : `No GST (${customer.country})`,
            formatAud(gstCents),
          ],
          ["Total", <b key="total">{formatAud(totalCents)}</b>],
          creditCents > 0 && ["Credit applied", `−${formatAud(creditCents)}`],
          creditCents > 0 && ["Amount due", <b key="due">{formatAud(totalCents - creditCents)}</b>],
          ["Due date", <Moment key="date" at={draft.dueAt ?? defaultDueAt} as={formatSellerDate} />],
          purchaseOrder && ["PO number", purchaseOrder],
        ]}
      />
      <List size="sm" aria-label="Service periods">
        {lines.map(({ description, firstDay, lastDay }, index) => (
          <List.Item key={index}>
            {description}:{" "}
            {firstDay && lastDay
              ? `${formatDay(firstDay)} to ${formatDay(lastDay)}`
              : "no service period, earned when the invoice is issued"}
          </List.Item>
        ))}
      </List>
      {terms && (
        <Text size="sm">
          {describeLicence(customer, terms)}
          {creditCents === totalCents ? " Credit covers the total, so this happens now." : ""}
        </Text>
      )}
      <Text size="sm">The invoice gets the next number and is emailed to {customer.email} with the PDF.</Text>
    </>
  );
}

function describeLicence(customer: InvoicedCustomer, terms: NonNullable<ManualInvoiceInput["licence"]>): string {
  const { licenceId, productLevel, numberOfUsers, numberOfMachines, until } = terms;
  const level = findLabel(productLevels, productLevel);
  const limits = `${formatCount(numberOfUsers, "user")}, ${formatCount(numberOfMachines, "machine")}`;
  const licence = customer.licences.find(({ id }) => id === licenceId);
  return licence
    ? `When it is paid in full, licence ${licence.supportCode} is extended to ${formatDay(until)}: ${level}, ${limits}.`
    : `When it is paid in full, a new ${level} licence is issued until ${formatDay(until)}: ${limits}.`;
}
