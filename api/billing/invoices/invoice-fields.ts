import { Field, ID, Int, ObjectType } from "type-graphql";
import { type DocumentKind, documentKinds, type InvoiceStatus, invoiceStatuses } from "#schema/manual-invoice.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";

/** Fields of a row in a list of invoices, of staff and of the customer. */
@ObjectType({ description: "A tax invoice or adjustment note in a list. Amounts are AUD cents." })
export abstract class InvoiceRow {
  @Field(enumType(documentKinds), { description: documentKinds.meaning })
  kind!: DocumentKind;

  @Field(enumType(invoiceStatuses), { description: invoiceStatuses.meaning })
  status!: InvoiceStatus;

  @Field(() => String, { description: "What the invoice is for." })
  description!: string;

  @Field(() => Int, { description: "Including GST; negative for an adjustment note." })
  totalCents!: number;

  @Field(() => Int, { description: "What is still to be paid." })
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

@ObjectType({ description: "The amounts of an invoice or a quote, in AUD cents." })
export abstract class DocumentAmounts {
  @Field(() => Int, { description: "Sum of the lines without GST." })
  amountCents!: number;

  @Field(() => Int, { description: "GST." })
  gstCents!: number;

  @Field(() => Int, { description: "Amount including GST." })
  totalCents!: number;
}

@ObjectType({ description: "The seller's account for bank transfers." })
export abstract class BankAccount {
  @Field(() => String, { description: "Name of the account's holder." })
  accountName!: string;

  @Field(() => String, { description: "Bank-state-branch number, six digits." })
  bsb!: string;

  @Field(() => String, { description: "Number of the account." })
  accountNumber!: string;
}
