import { Ctx, Query, Resolver } from "type-graphql";
import { createType, field } from "#api/platform/graphql/create-type.ts";
import { Allow, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { getBankAccount } from "#api/billing/invoices/parties.ts";
import { bankAccountFields, invoiceRowFields } from "./invoice-fields.ts";
import type { BankAccount } from "./tax-invoice.entity.ts";
import { listOwnInvoices } from "./list-invoices.ts";

export const MyInvoice = createType(
  "MyInvoice",
  VisibleTo("customer"),
  "One of the caller's tax invoices or adjustment notes. Amounts are AUD cents.",
  {
    ...invoiceRowFields,
    id: field.id("The ID for downloading the PDF."),
    number: field.text("Number of the invoice or adjustment note."),
    issuedAt: field.moment("The issue date, in UTC."),
    dueAt: field.moment("Null for card payments and adjustment notes.", { nullable: true }),
    purchaseOrder: field.text("Your purchase order number.", { nullable: true }),
  },
);
export type MyInvoice = InstanceType<typeof MyInvoice>;

export const SellerBankAccount = createType(
  "SellerBankAccount",
  VisibleTo("customer"),
  "The account for bank transfers.",
  bankAccountFields,
);

@Resolver()
export class MyInvoicesResolver {
  @Allow("customer", { scope: "billing:read" })
  @Query(() => [MyInvoice], {
    description: "The caller's tax invoices and adjustment notes with what is still to be paid, newest first.",
  })
  async myInvoices(@Ctx() context: Context): Promise<MyInvoice[]> {
    if (!context.actor) throw new AppError("UNAUTHENTICATED");
    return listOwnInvoices(context, context.actor.userId);
  }

  @Allow("customer", { scope: "session" })
  @Query(() => SellerBankAccount, { description: "The account to pay invoices to by bank transfer." })
  sellerBankAccount(): BankAccount {
    return getBankAccount();
  }
}
