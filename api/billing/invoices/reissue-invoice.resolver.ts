import { Arg, Ctx, ID, Mutation, Resolver } from "type-graphql";
import { invoiceDetailsRules, type InvoiceDetailsValues } from "#schema/billing-details.ts";
import { reasonRules } from "#schema/manual-invoice.ts";
import type { Context } from "#api/platform/context.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { check } from "#api/platform/validate.ts";
import { reissueInvoice } from "./reissue-invoice.ts";
import { TaxInvoice } from "./tax-invoice.entity.ts";

const InvoiceBuyerInput = createInput("InvoiceBuyerInput", invoiceDetailsRules, {
  description: "The company, ABN and address on an invoice. Without a company, the invoice names the customer.",
  fields: {
    abn: "Australian Business Number with valid check digits.",
    state: "Code in Australia (such as QLD) and the United States; free text elsewhere.",
    country: "Country name in English.",
  },
});

@Resolver()
export class ReissueInvoiceResolver {
  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => TaxInvoice, {
    description:
      "Re-issues an invoice to another company, ABN or address. An adjustment note cancels it and a new invoice with the same payments replaces it; both are emailed. A repeated call returns the new invoice.",
  })
  async reissueInvoice(
    @Arg("taxInvoiceId", () => ID, { description: "The tax invoice." }) taxInvoiceId: string,
    @CheckedArg("buyer", InvoiceBuyerInput) buyer: InvoiceDetailsValues,
    @Arg("reason", () => String, { description: "The reason, for the audit log." }) reason: string,
    @Ctx() context: Context,
  ): Promise<TaxInvoice> {
    return reissueInvoice(context, taxInvoiceId, buyer, check(reasonRules, { reason }).reason);
  }
}
