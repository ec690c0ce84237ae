import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import {
  quoteRules,
  quoteAcceptanceRules,
  type QuoteAcceptanceValues,
  DUE_DAYS,
  type QuoteState,
  quoteStates,
} from "#schema/manual-invoice.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { DayScalar } from "#api/platform/graphql/scalars.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { object } from "yup";
import { line } from "#schema/text.ts";
import { FileResponse, routesOf } from "#api/platform/http/define-route.ts";
import { downloadQuote } from "./quote-file.ts";
import { check } from "#api/platform/validate.ts";
import { acceptQuote, findQuote, getOfferedDueAt, getQuoteState } from "./accept-quote.ts";
import { Quote } from "./quote.entity.ts";
import { sendQuote } from "./send-quote.ts";
import { bankAccountFields, documentAmountFields } from "#api/billing/invoices/invoice-fields.ts";
import { getBalanceCents } from "#api/billing/invoices/invoice-status.ts";
import type { InvoiceParty as Party } from "#api/billing/invoices/tax-invoice.entity.ts";
import { Allow, createType, field, fieldOrNull } from "#api/platform/graphql/declare.ts";
import { pick } from "#api/platform/pick.ts";

const OfferedLine = createType("OfferedLine", "everyone", "A line of a quote. Cents are AUD without GST.", {
  description: field.text("What the line is for."),
  quantity: field.integer("Number of units."),
  unitCents: field.integer("Price of a unit."),
  amountCents: field.integer("Amount of the line."),
  firstDay: fieldOrNull.day("First day of the service."),
  lastDay: fieldOrNull.day("Last day of the service."),
});

const QuoteParty = createType("QuoteParty", "everyone", "The seller or the buyer on a quote.", {
  name: field.text("Name of the company or person."),
  contact: fieldOrNull.text("Name of the contact at a company."),
  abn: fieldOrNull.text("Australian Business Number."),
  address: field.texts("Lines of the address."),
  email: fieldOrNull.text("Email address of the seller."),
});
type QuoteParty = InstanceType<typeof QuoteParty>;

const QuoteBankAccount = createType(
  "QuoteBankAccount",
  "everyone",
  "The account to pay the invoice of a quote to.",
  bankAccountFields,
);

const access = Allow("everyone", { scope: "session" });

const OfferedQuote = createType("OfferedQuote", "everyone", "A quote as its customer sees it. Amounts are AUD cents.", {
  ...documentAmountFields,
  number: field.text("Number of the quote, such as `Q-100001`."),
  state: field.choice<QuoteState>(quoteStates),
  buyer: field.text("Name of the company or the customer."),
  seller: field.object(() => QuoteParty, "The vendor's details.", { access }),
  customer: field.object(() => QuoteParty, "The customer's details.", { access }),
  purchaseOrder: fieldOrNull.text("The customer's purchase order number."),
  gstBasisPoints: field.integer("GST rate in basis points."),
  lines: field.list(() => OfferedLine, "The lines, in order.", { access }),
  issuedAt: field.moment("When it was sent, in UTC."),
  validUntil: field.moment("End of its last day, in UTC."),
  dueAt: fieldOrNull.moment("Due date of the invoice, in UTC. Null if `dueDays` decide it."),
  dueDays: field.integer("Days after its issue until the invoice is due, unless `dueAt` says otherwise."),
  acceptedAt: fieldOrNull.moment("When it was accepted, in UTC."),
  acceptedBy: fieldOrNull.text("Name and role of the person who accepted it."),
  invoiceNumber: fieldOrNull.text("The invoice of the quote. Accepting the quote issues it, unless staff did."),
  balanceCents: field.integer("What is still to be paid of the invoice; 0 without one."),
  bank: fieldOrNull.object(() => QuoteBankAccount, "The account to pay the invoice to. Null without one.", { access }),
});
type OfferedQuote = InstanceType<typeof OfferedQuote>;

/** Converts a quote, with its invoice loaded, to what its customer sees. */
function toOfferedQuote(quote: Quote, now: Date): OfferedQuote {
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
    // An open quote may have been issued by staff, with a standing purchase order number.
    purchaseOrder: (isAccepted || state === "open" ? invoice.purchaseOrder : null) ?? document.purchaseOrder,
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
    gstBasisPoints: document.gstBasisPoints,
    totalCents,
    issuedAt: createdAt,
    validUntil,
    dueAt: state === "open" && invoice.status === "draft" ? getOfferedDueAt(invoice, now) : invoice.dueAt,
    dueDays: DUE_DAYS,
    acceptedAt,
    acceptedBy: acceptedByName && `${acceptedByName}, ${acceptedByRole}`,
    invoiceNumber: acceptedAt || state === "open" ? (invoice.taxInvoice?.number ?? null) : null,
    balanceCents: isAccepted ? getBalanceCents(invoice) : 0,
    bank: isAccepted ? (invoice.taxInvoice?.seller.bank ?? null) : null,
  };
}

const QuoteAcceptanceInput = createInput("QuoteAcceptanceInput", quoteAcceptanceRules, {
  description: "Who accepts a quote.",
  fields: {
    name: "Full name.",
    role: "Role at the customer, such as Finance Manager.",
    purchaseOrder:
      "Purchase order number for the invoice. Omit it to keep that of the quote. Another one than an issued invoice has gives a CONFLICT.",
  },
});

const quotesOfInvoice = createRelationLoader<Quote>({
  entity: Quote,
  of: "invoice",
  orderBy: { createdAt: "desc", id: "desc" },
});

@Resolver(() => ManualInvoice)
export class QuoteResolver {
  @Allow("everyone", { scope: "session" })
  @Query(() => OfferedQuote, { description: "The quote of an emailed link." })
  async quote(
    @Arg("token", () => String, { description: "The token of the emailed link." }) token: string,
    @Ctx() context: Context,
  ): Promise<OfferedQuote> {
    return toOfferedQuote(await findQuote(context, token), context.clock.now());
  }

  @Allow("everyone", { scope: "session" })
  @Mutation(() => OfferedQuote, {
    description: "Accepts the quote of an emailed link, which issues its invoice. A repeated call returns the quote.",
  })
  async acceptQuote(
    @Arg("token", () => String, { description: "The token of the emailed link." }) token: string,
    @CheckedArg("acceptance", QuoteAcceptanceInput) acceptance: QuoteAcceptanceValues,
    @Ctx() context: Context,
  ): Promise<OfferedQuote> {
    return toOfferedQuote(await acceptQuote(context, token, acceptance), context.clock.now());
  }

  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => Quote, {
    description: "Emails a draft as a quote with a link that accepts it. Replaces an earlier quote of the draft.",
  })
  async sendQuote(
    @Arg("invoiceId", () => ID, { description: "The invoice." }) invoiceId: string,
    @Arg("revision", () => Int, { description: "The revision you loaded; an outdated one gives a CONFLICT." })
    revision: number,
    @Arg("validUntil", () => DayScalar, { description: "Last day in the vendor's time zone." })
    validUntil: string,
    @Ctx() context: Context,
  ): Promise<Quote> {
    return sendQuote(context, invoiceId, revision, check(quoteRules, { validUntil }).validUntil);
  }

  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @FieldResolver(() => [Quote], { description: "Quotes of the draft, newest first." })
  async quotes(@Root() { id }: ManualInvoice, @Ctx() context: Context): Promise<Quote[]> {
    return quotesOfInvoice(context, id);
  }
}

const defineRoute = routesOf("Tax invoices");

/** Call for downloading a quote. */
export const quoteRoutes = [
  defineRoute("POST /v1/quote/download", {
    allow: { audience: "everyone", scope: "session" },
    summary: "Download the quote of an emailed link as a PDF. `token` is the value of `t` in the link",
    body: object({ token: line(200).required("Token is required.") }),
    bodyExample: { token: "kR8v…" },
    errors: ["NOT_FOUND"],
    fileTypes: ["application/pdf"],
    handler: async ({ context, body }) => new FileResponse(await downloadQuote(context, body.token)),
  }),
];
