import { DUE_DAYS, type QuoteState, quoteStates } from "#schema/manual-invoice.ts";
import { bankAccountFields, documentAmountFields } from "#api/billing/invoices/invoice-fields.ts";
import { getBalanceCents } from "#api/billing/invoices/invoice-status.ts";
import type { InvoiceParty as Party } from "#api/billing/invoices/tax-invoice.entity.ts";
import { createType, field } from "#api/platform/graphql/create-type.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import { pick } from "#api/platform/pick.ts";
import { getQuoteState } from "./accept-quote.ts";
import type { Quote } from "./quote.entity.ts";

export const OfferedLine = createType(
  "OfferedLine",
  "everyone",
  "A line of a quote. Cents are AUD without GST.",
  {
    description: field.text("What the line is for."),
    quantity: field.integer("Number of units."),
    unitCents: field.integer("Price of a unit."),
    amountCents: field.integer("Amount of the line."),
    firstDay: field.day("First day of the service.", { nullable: true }),
    lastDay: field.day("Last day of the service.", { nullable: true }),
  },
);

export const QuoteParty = createType("QuoteParty", "everyone", "The seller or the buyer on a quote.", {
  name: field.text("Name of the company or person."),
  contact: field.text("Name of the contact at a company.", { nullable: true }),
  abn: field.text("Australian Business Number.", { nullable: true }),
  address: field.texts("Lines of the address."),
  email: field.text("Email address of the seller.", { nullable: true }),
});
export type QuoteParty = InstanceType<typeof QuoteParty>;

export const QuoteBankAccount = createType(
  "QuoteBankAccount",
  "everyone",
  "The account to pay the invoice of a quote to.",
  bankAccountFields,
);

const access = Allow("everyone", { scope: "session" });

export const OfferedQuote = createType(
  "OfferedQuote",
  "everyone",
  "A quote as its customer sees it. Amounts are AUD cents.",
  {
    ...documentAmountFields,
    number: field.text("Number of the quote, such as `Q-100001`."),
    state: field.choice<QuoteState>(quoteStates),
    buyer: field.text("Name of the company or the customer."),
    seller: field.object(() => QuoteParty, "The vendor's details.", { access }),
    customer: field.object(() => QuoteParty, "The customer's details.", { access }),
    purchaseOrder: field.text("The customer's purchase order number.", { nullable: true }),
    lines: field.list(() => OfferedLine, "The lines, in order.", { access }),
    issuedAt: field.moment("When it was sent, in UTC."),
    validUntil: field.moment("End of its last day, in UTC."),
    dueAt: field.moment("Due date of the invoice, in UTC. Null if `dueDays` decide it.", { nullable: true }),
    dueDays: field.integer("Days after its issue until the invoice is due, unless `dueAt` says otherwise."),
    acceptedAt: field.moment("When it was accepted, in UTC.", { nullable: true }),
    acceptedBy: field.text("Name and role of the person who accepted it.", { nullable: true }),
    invoiceNumber: field.text("The invoice that accepting the quote issued.", { nullable: true }),
    balanceCents: field.integer("What is still to be paid of the invoice; 0 without one."),
    bank: field.object(() => QuoteBankAccount, "The account to pay the invoice to. Null without one.", {
      nullable: true,
      access,
    }),
  },
);
export type OfferedQuote = InstanceType<typeof OfferedQuote>;

/** Converts a quote, with its invoice loaded, to what its customer sees. */
export function toOfferedQuote(quote: Quote, now: Date): OfferedQuote {
  const { number, document, totalCents, createdAt, validUntil, invoice } = quote;
  const { acceptedAt, acceptedByName, acceptedByRole } = quote;
  const state = getQuoteState(quote, now);
  const isAccepted = state === "accepted";
  const toParty = (party: Party): QuoteParty => pick(party, "name", "contact", "abn", "address", "email");
  return {
    number,
    state,
    buyer: document.buyer.name,
    seller: toParty(document.seller),
    customer: toParty(document.buyer),
    purchaseOrder: (isAccepted ? invoice.purchaseOrder : null) ?? document.purchaseOrder,
    lines: document.lines.map(({ description, quantity = 1, unitCents, amountCents, period }) => ({
      description,
      quantity,
      amountCents,
      unitCents: unitCents ?? amountCents,
      firstDay: period?.firstDay ?? null,
      lastDay: period?.lastDay ?? null,
    })),
    amountCents: document.amountCents,
    gstCents: document.gstCents,
    totalCents,
    issuedAt: createdAt,
    validUntil,
    dueAt: invoice.dueAt,
    dueDays: DUE_DAYS,
    acceptedAt: isAccepted ? acceptedAt : null,
    acceptedBy: isAccepted && acceptedByName ? `${acceptedByName}, ${acceptedByRole}` : null,
    invoiceNumber: invoice.taxInvoice?.number ?? null,
    balanceCents: isAccepted && invoice.status === "open" ? getBalanceCents(invoice) : 0,
    bank: isAccepted ? (invoice.taxInvoice?.seller.bank ?? null) : null,
  };
}
