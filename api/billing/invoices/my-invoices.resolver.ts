import { Ctx, Field, ID, ObjectType, Query, Resolver } from "type-graphql";
import { Allow, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { getBankAccount } from "#api/billing/invoices/parties.ts";
import { BankAccount, InvoiceRow } from "./invoice-fields.ts";
import { listOwnInvoices } from "./list-invoices.ts";

@VisibleTo("customer")
@ObjectType({ description: "One of the caller's tax invoices or adjustment notes. Amounts are AUD cents." })
export class MyInvoice extends InvoiceRow {
  @Field(() => ID, { description: "The ID for downloading the PDF." })
  id!: string;

  @Field(() => String, { description: "Number of the invoice or adjustment note." })
  number!: string;

  @Field(() => Date, { description: "The issue date, in UTC." })
  issuedAt!: Date;

  @Field(() => Date, { nullable: true, description: "Null for card payments and adjustment notes." })
  dueAt!: Date | null;

  @Field(() => String, { nullable: true, description: "Your purchase order number." })
  purchaseOrder!: string | null;
}

@VisibleTo("customer")
@ObjectType({ description: "The account for bank transfers." })
export class SellerBankAccount extends BankAccount {}

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
  sellerBankAccount(): SellerBankAccount {
    return getBankAccount();
  }
}
