import { Field, Int, ObjectType } from "type-graphql";
import { DUE_DAYS, type QuoteState, quoteStates } from "#schema/manual-invoice.ts";
import { BankAccount, DocumentAmounts } from "#api/billing/invoices/invoice-fields.ts";
import { getBalanceCents } from "#api/billing/invoices/invoice-status.ts";
import type { InvoiceParty as Party } from "#api/billing/invoices/tax-invoice.entity.ts";
import { createType, field } from "#api/platform/graphql/create-type.ts";
import { Allow, VisibleTo } from "#api/platform/graphql/allow.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";
import { pick } from "#api/platform/pick.ts";
import { getQuoteState } from "./accept-quote.ts";
import type { Quote } from "./quote.entity.ts";

export const OfferedLine = createType(
  "OfferedLine",
  VisibleTo("everyone"),
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
export type OfferedLine = InstanceType<typeof OfferedLine>;

export const QuoteParty = createType("QuoteParty", VisibleTo("everyone"), "The seller or the buyer on a quote.", {
  name: field.text("Name of the company or person."),
  contact: field.text("Name of the contact at a company.", { nullable: true }),
  abn: field.text("Australian Business Number.", { nullable: true }),
  address: field.texts("Lines of the address."),
  email: field.text("Email address of the seller.", { nullable: true }),
});
export type QuoteParty = InstanceType<typeof QuoteParty>;

@VisibleTo("everyone")
@ObjectType({ description: "The account to pay the invoice of a quote to." })
export class QuoteBankAccount extends BankAccount {}

@VisibleTo("everyone")
@ObjectType({ description: "A quote as its customer sees it. Amounts are AUD cents." })
export class OfferedQuote extends DocumentAmounts {
  @Field(() => String, { description: "Number of the quote, such as `Q-100001`." })
  number!: string;

  @Field(enumType(quoteStates), { description: quoteStates.meaning })
  state!: QuoteState;

  @Field(() => String, { description: "Name of the company or the customer." })
  buyer!: string;

  @Allow("everyone", { scope: "session" })
  @Field(() => QuoteParty, { description: "The vendor's details." })
  seller!: QuoteParty;

  @Allow("everyone", { scope: "session" })
  @Field(() => QuoteParty, { description: "The customer's details." })
  customer!: QuoteParty;

  @Field(() => String, { nullable: true, description: "The customer's purchase order number." })
  purchaseOrder!: string | null;

  @Allow("everyone", { scope: "session" })
  @Field(() => [OfferedLine], { description: "The lines, in order." })
  lines!: OfferedLine[];

  @Field(() => Date, { description: "When it was sent, in UTC." })
  issuedAt!: Date;

  @Field(() => Date, { description: "End of its last day, in UTC." })
  validUntil!: Date;

  @Field(() => Date, { nullable: true, description: "Due date of the invoice, in UTC. Null if `dueDays` decide it." })
  dueAt!: Date | null;

  @Field(() => Int, { description: "Days after its issue until the invoice is due, unless `dueAt` says otherwise." })
  dueDays!: number;

  @Field(() => Date, { nullable: true, description: "When it was accepted, in UTC." })
  acceptedAt!: Date | null;

  @Field(() => String, { nullable: true, description: "Name and role of the person who accepted it." })
  acceptedBy!: string | null;

  @Field(() => String, { nullable: true, description: "The invoice that accepting the quote issued." })
  invoiceNumber!: string | null;

  @Field(() => Int, { description: "What is still to be paid of the invoice; 0 without one." })
  balanceCents!: number;

  @Allow("everyone", { scope: "session" })
  @Field(() => QuoteBankAccount, {
    nullable: true,
    description: "The account to pay the invoice to. Null without one.",
  })
  bank!: QuoteBankAccount | null;
}

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
