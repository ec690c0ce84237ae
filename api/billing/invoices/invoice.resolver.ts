import { Ctx, FieldResolver, Mutation, Query, Resolver, Root, Arg, ID } from "type-graphql";
import { brand } from "#schema/brand.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { invoiceDetailsRules, type InvoiceDetailsValues } from "#schema/billing-details.ts";
import { changeOwnDetails } from "#api/access/profile/change-own-details.ts";
import { lockCaller, User } from "#api/people/users/user.entity.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { downloadTaxInvoice, downloadTaxInvoiceAsStaff } from "./invoice-file.ts";
import { type BankAccount, TaxInvoice } from "./tax-invoice.entity.ts";
import { Type } from "typebox";
import { exampleIds, param } from "#api/platform/http/route-examples.ts";
import { FileResponse, routesOf } from "#api/platform/http/define-route.ts";
import { reasonRules } from "#schema/manual-invoice.ts";
import { check } from "#api/platform/validate.ts";
import { reissueInvoice } from "./reissue-invoice.ts";
import { Allow, createType, field, fieldOrNull } from "#api/platform/graphql/declare.ts";
import { bankAccountFields, invoiceRowFields } from "./invoice-fields.ts";
import { listOwnInvoices } from "./list-invoices.ts";
import { taxInvoiceShape, toTaxInvoiceJson } from "./tax-invoice.json.ts";

export const MyInvoice = createType(
  "MyInvoice",
  "customer",
  "One of the caller's tax invoices or adjustment notes. Amounts are AUD cents.",
  {
    ...invoiceRowFields,
    id: field.id("The ID for downloading the PDF."),
    number: field.text("Number of the invoice or adjustment note."),
    issuedAt: field.moment("The issue date, in UTC."),
    dueAt: fieldOrNull.moment("Null for card payments and adjustment notes."),
    purchaseOrder: fieldOrNull.text("Your purchase order number."),
  },
);
export type MyInvoice = InstanceType<typeof MyInvoice>;

const SellerBankAccount = createType(
  "SellerBankAccount",
  "customer",
  "The account for bank transfers.",
  bankAccountFields,
);

const buyerFields = {
  abn: "Australian Business Number with valid check digits.",
  state: "Code in Australia (such as QLD) and the United States; free text elsewhere.",
  country: "Country name in English.",
};

const InvoiceDetailsInput = createInput("InvoiceDetailsInput", invoiceDetailsRules, {
  description: "Customer details shown on future tax invoices.",
  fields: buyerFields,
});

const InvoiceBuyerInput = createInput("InvoiceBuyerInput", invoiceDetailsRules, {
  description: "The company, ABN and address on an invoice. Without a company, the invoice names the customer.",
  fields: { ...buyerFields, fullAddress: "Ignored. The invoice shows the parts." },
});

/** Loads the tax invoices and adjustment notes of a user, newest first. */
export const invoicesOfUser = createRelationLoader<TaxInvoice>({
  entity: TaxInvoice,
  of: "user",
  orderBy: { issuedAt: "desc", number: "desc" },
});

const listOwnTaxInvoices = (context: Context) => invoicesOfUser(context, getCallerId(context));

@Resolver(() => User)
export class InvoiceResolver {
  @Allow("customer", { scope: "billing:read" })
  @Query(() => [MyInvoice], {
    description: "The caller's tax invoices and adjustment notes with what is still to be paid, newest first.",
  })
  async myInvoices(@Ctx() context: Context): Promise<MyInvoice[]> {
    return listOwnInvoices(context, getCallerId(context));
  }

  @Allow("customer", { scope: "session" })
  @Query(() => SellerBankAccount, { description: "The account to pay invoices to by bank transfer." })
  sellerBankAccount(): BankAccount {
    return brand.company.bank;
  }

  @Allow("regular", { scope: "billing:read" })
  @Query(() => [TaxInvoice], {
    description:
      "The caller's tax invoices and adjustment notes, newest first. GET /v1/taxInvoice/{id}/download returns the PDF.",
  })
  async taxInvoices(@Ctx() context: Context): Promise<TaxInvoice[]> {
    return listOwnTaxInvoices(context);
  }

  @Allow("customer", { scope: "session" })
  @Mutation(() => User, { description: "Changes the company, ABN and address on the caller's future tax invoices." })
  async updateInvoiceDetails(
    @CheckedArg("input", InvoiceDetailsInput) input: InvoiceDetailsValues,
    @Ctx() context: Context,
  ): Promise<User> {
    // Fields that are left out are cleared.
    const { companyName = "", abn = "", unitNumber = "", fullAddress = "", ...address } = input;
    return inTransaction(context, async (em) => {
      const user = await lockCaller(context, em);
      await changeOwnDetails(context, em, user, { ...address, companyName, abn, unitNumber, fullAddress });
      return user;
    });
  }

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

  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @FieldResolver(() => [TaxInvoice], { description: "Tax invoices and adjustment notes, newest first. Admins only." })
  async invoices(@Root() user: User, @Ctx() context: Context): Promise<TaxInvoice[]> {
    return invoicesOfUser(context, user.id);
  }
}

const defineRoute = routesOf("Tax invoices");

export const taxInvoiceRoutes = [
  defineRoute("GET /v1/taxInvoice", {
    operation: "Query.taxInvoices",
    summary: "List your tax invoices and adjustment notes. The newest come first. Amounts are in AUD cents",
    response: Type.Array(taxInvoiceShape),
    example: [
      {
        id: exampleIds.other,
        date: "2026-09-21T01:00:00.000Z",
        invoiceNumber: "100003",
        description: "Professional, yearly subscription",
        amount: 156_640,
      },
    ],
    handler: async ({ context }) => (await listOwnTaxInvoices(context)).map(toTaxInvoiceJson),
  }),
  defineRoute("GET /v1/taxInvoice/:id/download", {
    params: { id: param.taxInvoice },
    allow: { audience: "regular", scope: "billing:read" },
    summary: "Download a tax invoice or adjustment note. Returns a PDF named Invoice-{invoiceNumber}.pdf",
    fileTypes: ["application/pdf"],
    handler: async ({ context, params }) => new FileResponse(await downloadTaxInvoice(context, params.id)),
  }),
  defineRoute("GET /v1/core/accounts/invoices/:id/download", {
    params: { id: param.taxInvoice },
    allow: { audience: "customer", scope: "billing:read" },
    summary:
      "Download a tax invoice or adjustment note as a customer of either type. Returns a PDF named Invoice-{invoiceNumber}.pdf",
    fileTypes: ["application/pdf"],
    handler: async ({ context, params }) => new FileResponse(await downloadTaxInvoice(context, params.id)),
  }),
  defineRoute("GET /v1/admin/taxInvoice/:id/download", {
    params: { id: param.taxInvoice },
    allow: { audience: "admin", roles: customerStaff, scope: "billing:read", harm: "none" },
    summary: "Download a customer's tax invoice or adjustment note. Returns a PDF named Invoice-{invoiceNumber}.pdf",
    fileTypes: ["application/pdf"],
    handler: async ({ context, params }) => new FileResponse(await downloadTaxInvoiceAsStaff(context, params.id)),
  }),
];
