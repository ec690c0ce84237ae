import { Ctx, Field, ID, Int, ObjectType, Query, Resolver } from "type-graphql";
import { type DocumentKind, documentKinds, type InvoiceStatus, invoiceStatuses } from "#schema/manual-invoice.ts";
import { Allow, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";
import { AppError } from "#api/platform/errors.ts";
import { getBankAccount } from "#api/billing/invoices/parties.ts";
import { listOwnInvoices } from "./list-invoices.ts";

@VisibleTo("customer")
@ObjectType({ description: "One of the caller's tax invoices or adjustment notes. Amounts are AUD cents." })
export class MyInvoice {
  @Field(() => ID, { description: "The ID for downloading the PDF." })
  id!: string;

  @Field(enumType(documentKinds), { description: documentKinds.meaning })
  kind!: DocumentKind;

  @Field(enumType(invoiceStatuses), { description: invoiceStatuses.meaning })
  status!: InvoiceStatus;

  @Field(() => String, { description: "Number of the invoice or adjustment note." })
  number!: string;

  @Field(() => Date, { description: "The issue date, in UTC." })
  issuedAt!: Date;

  @Field(() => Date, { nullable: true, description: "Null for card payments and adjustment notes." })
  dueAt!: Date | null;

  @Field(() => String, { description: "What the invoice is for." })
  description!: string;

  @Field(() => String, { nullable: true, description: "Your purchase order number." })
  purchaseOrder!: string | null;

  @Field(() => Int, { description: "Including GST; negative for an adjustment note." })
  totalCents!: number;

  @Field(() => Int, { description: "Amount still to be paid." })
  balanceCents!: number;

  @Field(() => ID, { nullable: true, description: "The invoice by hand behind it, if there is one." })
  manualInvoiceId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Number of the invoice to another buyer that this one replaces.",
  })
  replacesNumber!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Number of the invoice that replaces this one. An adjustment note has the number too.",
  })
  replacedByNumber!: string | null;
}

@VisibleTo("customer")
@ObjectType({ description: "The account for bank transfers." })
export class SellerBankAccount {
  @Field(() => String, { description: "Name of the account's holder." })
  accountName!: string;

  @Field(() => String, { description: "Bank-state-branch number, six digits." })
  bsb!: string;

  @Field(() => String, { description: "Number of the account." })
  accountNumber!: string;
}

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
