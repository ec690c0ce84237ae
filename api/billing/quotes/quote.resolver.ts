import { Arg, Ctx, Field, FieldResolver, ID, Int, Mutation, ObjectType, Query, Resolver, Root } from "type-graphql";
import { customerStaff } from "#schema/staff-roles.ts";
import { type QuoteState, quoteStates } from "#schema/manual-invoices.ts";
import { quoteRules } from "#schema/rules/manual-invoice.ts";
import { DayScalar } from "#api/platform/graphql/scalars.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { Allow, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";
import { createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { check } from "#api/platform/validate.ts";
import { acceptQuote, findQuote, getQuoteState } from "./accept-quote.ts";
import { Quote } from "./quote.entity.ts";
import { sendQuote } from "./send-quote.ts";

@VisibleTo("everyone")
@ObjectType({ description: "A line of a quote. Cents are AUD without GST." })
export class OfferedLine {
  @Field(() => String, { description: "What the line is for." })
  description!: string;

  @Field(() => Int, { description: "Number of units." })
  quantity!: number;

  @Field(() => Int, { description: "Amount of the line." })
  amountCents!: number;
}

@VisibleTo("everyone")
@ObjectType({ description: "A quote as its customer sees it. Amounts are AUD cents." })
export class OfferedQuote {
  @Field(() => String, { description: "Number of the quote, such as `Q-100001`." })
  number!: string;

  @Field(enumType(quoteStates), { description: quoteStates.meaning })
  state!: QuoteState;

  @Field(() => String, { description: "Name of the company or the customer." })
  buyer!: string;

  @Allow("everyone", { scope: "session" })
  @Field(() => [OfferedLine], { description: "The lines, in order." })
  lines!: OfferedLine[];

  @Field(() => Int, { description: "Sum of the lines without GST." })
  amountCents!: number;

  @Field(() => Int, { description: "GST." })
  gstCents!: number;

  @Field(() => Int, { description: "Amount including GST." })
  totalCents!: number;

  @Field(() => Date, { description: "End of its last day, in UTC." })
  validUntil!: Date;

  @Field(() => String, { nullable: true, description: "The invoice that accepting the quote issued." })
  invoiceNumber!: string | null;
}

function toOfferedQuote(quote: Quote, now: Date): OfferedQuote {
  const { number, document, totalCents, validUntil, invoice } = quote;
  return {
    number,
    state: getQuoteState(quote, now),
    buyer: document.buyer.name,
    lines: document.lines.map(({ description, quantity = 1, amountCents }) => ({ description, quantity, amountCents })),
    amountCents: document.amountCents,
    gstCents: document.gstCents,
    totalCents,
    validUntil,
    invoiceNumber: invoice.taxInvoice?.number ?? null,
  };
}

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
    @Ctx() context: Context,
  ): Promise<OfferedQuote> {
    return toOfferedQuote(await acceptQuote(context, token), context.clock.now());
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
