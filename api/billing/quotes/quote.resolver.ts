import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { quoteRules, quoteAcceptanceRules, type QuoteAcceptanceValues } from "#schema/manual-invoice.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { DayScalar } from "#api/platform/graphql/scalars.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { object } from "yup";
import { line } from "#schema/text.ts";
import { defineRoute, FileResponse } from "#api/platform/http/define-route.ts";
import { downloadQuote } from "./quote-file.ts";
import { check } from "#api/platform/validate.ts";
import { acceptQuote, findQuote } from "./accept-quote.ts";
import { OfferedQuote, toOfferedQuote } from "./offered-quote.ts";
import { Quote } from "./quote.entity.ts";
import { sendQuote } from "./send-quote.ts";

const QuoteAcceptanceInput = createInput("QuoteAcceptanceInput", quoteAcceptanceRules, {
  description: "Who accepts a quote.",
  fields: {
    name: "Full name.",
    role: "Role at the customer, such as Finance Manager.",
    purchaseOrder: "Purchase order number for the invoice. Omit it to keep that of the quote.",
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

/** Call for downloading a quote. */
export const quoteRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/quote/download",
    allow: { audience: "everyone", scope: "session" },
    tag: "Tax invoices",
    summary: "Download the quote of an emailed link as a PDF. `token` is the value of `t` in the link",
    body: object({ token: line(200).required("Token is required.") }),
    bodyExample: { token: "kR8v…" },
    errors: ["NOT_FOUND"],
    fileTypes: ["application/pdf"],
    handler: async ({ context, body }) => new FileResponse(await downloadQuote(context, body.token)),
  }),
];
