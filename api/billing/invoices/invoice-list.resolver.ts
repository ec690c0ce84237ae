import { Arg, Ctx, Field, ID, Int, Mutation, ObjectType, Query, registerEnumType, Resolver } from "type-graphql";
import type { InvoiceStatus } from "#schema/manual-invoices.ts";
import { invoiceFilterRules, type InvoiceFilterValues, requestKeyRules } from "#schema/rules/manual-invoice.ts";
import { Allow, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { check } from "#api/platform/validate.ts";
import { listInvoices } from "./list-invoices.ts";
import { sendInvoiceAgain } from "./send-invoice-again.ts";
import { TaxInvoice } from "./tax-invoice.entity.ts";

@VisibleTo("admin")
@ObjectType({ description: "A draft, a tax invoice or an adjustment note. Amounts are AUD cents." })
export class ListedInvoiceRow {
  @Field(() => ID, { description: "Unique ID." })
  id!: string;

  @Field(() => String, { description: "`invoice` or `adjustment`." })
  kind!: string;

  @Field(() => String, {
    description:
      "`draft`, `open`, `overdue`, `paid`, `refunded` or `void`. An adjustment note is void if it cancels or re-issues an invoice, otherwise refunded.",
  })
  status!: InvoiceStatus;

  @Field(() => String, { nullable: true, description: "Null for a draft." })
  number!: string | null;

  @Field(() => Date, { description: "The issue date, in UTC; for a draft, when it was created." })
  issuedAt!: Date;

  @Field(() => Date, { nullable: true, description: "Null for card payments, adjustment notes and some drafts." })
  dueAt!: Date | null;

  @Field(() => Date, { nullable: true, description: "The date it was paid in full or refunded, in UTC." })
  paidAt!: Date | null;

  @Field(() => ID, { description: "The customer." })
  userId!: string;

  @Field(() => String, { description: "First and last name of the customer." })
  customerName!: string;

  @Field(() => String, { description: "Company of the customer." })
  companyName!: string;

  @Field(() => String, { description: "What the invoice is for." })
  description!: string;

  @Field(() => Int, { description: "GST; negative for an adjustment note." })
  gstCents!: number;

  @Field(() => Int, { description: "Including GST; negative for an adjustment note." })
  totalCents!: number;

  @Field(() => Int, { description: "What is still to be paid." })
  balanceCents!: number;

  @Field(() => ID, { nullable: true, description: "The ID for downloading the PDF. Null for a draft." })
  taxInvoiceId!: string | null;

  @Field(() => ID, { nullable: true, description: "The invoice by hand behind the row, if there is one." })
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

@VisibleTo("admin")
@ObjectType({ description: "Totals of all invoices that match a filter, in AUD cents." })
export class InvoiceListTotals {
  @Field(() => Int, { description: "Number of invoices and adjustment notes." })
  count!: number;

  @Field(() => Number, { description: "GST." })
  gstCents!: number;

  @Field(() => Number, { description: "Amount including GST." })
  totalCents!: number;

  @Field(() => Number, { description: "What is still to be paid." })
  balanceCents!: number;
}

@VisibleTo("admin")
@ObjectType({ description: "A page of invoices, with totals of the whole list." })
export class InvoicePage {
  @Allow("admin", { roles: ["support", "finance"], scope: "billing:read" })
  @Field(() => [ListedInvoiceRow], { description: "The invoices of the page." })
  rows!: ListedInvoiceRow[];

  @Allow("admin", { roles: ["support", "finance"], scope: "billing:read" })
  @Field(() => InvoiceListTotals, { description: "Totals of all rows that match the filter." })
  totals!: InvoiceListTotals;
}

const InvoiceFilter = createInput("InvoiceFilter", invoiceFilterRules, {
  description: "Filters for the list of invoices. Omitted fields don't filter.",
  fields: {
    status: "`draft`, `open`, `overdue`, `paid` or `void`.",
    from: "First issue date, `YYYY-MM-DD` in the vendor's time zone.",
    to: "Last issue date, `YYYY-MM-DD` in the vendor's time zone.",
    customer: "Words from the name, company or email of the customer.",
    search: "The start of an invoice number, a part of a description, or words as in `customer`.",
    userId: { type: ID },
  },
});

export enum InvoiceSortColumn {
  NUMBER = "NUMBER",
  DATE = "DATE",
  DUE = "DUE",
  CUSTOMER = "CUSTOMER",
  STATUS = "STATUS",
  TOTAL = "TOTAL",
  BALANCE = "BALANCE",
}
registerEnumType(InvoiceSortColumn, {
  name: "InvoiceSortColumn",
  description: "Columns that order the invoices.",
  valuesConfig: {
    BALANCE: { description: "By what is still to be paid." },
    CUSTOMER: { description: "By the name of the customer." },
    DATE: { description: "By the date of issue." },
    DUE: { description: "By the due date." },
    NUMBER: { description: "By number." },
    STATUS: { description: "By status." },
    TOTAL: { description: "By the amount including GST." },
  },
});

@Resolver()
export class InvoiceListResolver {
  @Allow("admin", { roles: ["finance", "support"], scope: "billing:read" })
  @Query(() => InvoicePage, {
    description: "Lists drafts, tax invoices and adjustment notes of all customers.",
    complexity: ({ args, childComplexity }) => Math.max(1, (args as { limit?: number }).limit ?? 20) * childComplexity,
  })
  async invoices(
    @CheckedArg("filter", InvoiceFilter, { nullable: true }) filter: InvoiceFilterValues | undefined,
    @Arg("sort", () => InvoiceSortColumn, { nullable: true, description: "Default: DATE." })
    sort: InvoiceSortColumn | undefined,
    @Arg("descending", () => Boolean, { nullable: true, description: "Default: true." })
    descending: boolean | undefined,
    @Arg("offset", () => Int, { nullable: true, description: "Number of rows to skip." }) offset: number | undefined,
    @Arg("limit", () => Int, { nullable: true, description: "At most 100. Default: 20." }) limit: number | undefined,
    @Ctx() context: Context,
  ): Promise<InvoicePage> {
    return listInvoices(context, {
      filter: filter ?? {},
      sort: sort ?? InvoiceSortColumn.DATE,
      descending: descending ?? true,
      offset: offset ?? 0,
      limit: limit ?? 20,
    });
  }

  @Allow("admin", { roles: ["finance"], scope: "session", harm: "others" })
  @Mutation(() => TaxInvoice, {
    description: "Emails a tax invoice or adjustment note to its customer again, once for each key.",
  })
  async sendInvoiceAgain(
    @Arg("taxInvoiceId", () => ID, { description: "The tax invoice or adjustment note." }) taxInvoiceId: string,
    @Arg("key", () => String, { description: "A new UUID. A repeated call sends nothing." }) key: string,
    @Ctx() context: Context,
  ): Promise<TaxInvoice> {
    return sendInvoiceAgain(context, taxInvoiceId, check(requestKeyRules, { key }).key);
  }
}
