import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from "type-graphql";
import { boolean, type InferType, mixed, object } from "yup";
import { customerStaff } from "#schema/staff-roles.ts";
import { invoiceFilterRules, type InvoiceFilterValues, requestKeyRules } from "#schema/manual-invoice.ts";
import { Allow, createPage, createType, declareEnum, field, fieldOrNull } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createPageCost, PageArgs, toRowRange } from "#api/platform/graphql/page.ts";
import { check } from "#api/platform/validate.ts";
import { invoiceRowFields } from "./invoice-fields.ts";
import { listInvoices } from "./list-invoices.ts";
import { TaxInvoice } from "./tax-invoice.entity.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { sendEmails } from "#api/messaging/emails/send-email.ts";
import { getRow, inTransaction, lockRow } from "#api/platform/database/database.ts";
import { conflict } from "#api/platform/errors.ts";
import { composeTaxInvoiceEmails } from "./email-tax-invoice.ts";
import { createLink, createLinks, linkReference } from "#api/platform/graphql/links.ts";
import { createRowLoader } from "#api/platform/graphql/loaders.ts";
import { TaxEntryType } from "#api/billing/tax/tax.resolver.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { linkLicence } from "#api/licensing/licences/list-licences.ts";
import { linkUser, User } from "#api/people/users/user.entity.ts";
import { InvoicedLicence, ManualInvoice } from "./manual-invoice.entity.ts";

const readsBilling = Allow("admin", { roles: customerStaff, scope: "billing:read" });

export const ListedInvoiceRow = createType(
  "ListedInvoiceRow",
  "admin",
  "A draft, a tax invoice or an adjustment note. Amounts are AUD cents.",
  {
    ...invoiceRowFields,
    id: field.id("Unique ID."),
    number: fieldOrNull.text("Null for a draft."),
    issuedAt: field.moment("The issue date, in UTC; for a draft, when it was created."),
    dueAt: fieldOrNull.moment("Null for card payments, adjustment notes and some drafts."),
    paidAt: fieldOrNull.moment("The date it was paid in full or refunded, in UTC."),
    userId: field.id("The customer."),
    customerName: field.text("First and last name of the customer."),
    companyName: field.text("Company on the document; of the customer for a draft."),
    gstCents: field.integer("GST; negative for an adjustment note."),
    taxInvoiceId: fieldOrNull.id("The ID for downloading the PDF. Null for a draft."),
  },
);
export type ListedInvoiceRow = InstanceType<typeof ListedInvoiceRow>;

export const InvoiceSums = createType(
  "InvoiceSums",
  "admin",
  "Sums of all invoices that match a filter, in AUD cents.",
  {
    gstCents: field.number("GST."),
    totalCents: field.number("Amount including GST."),
    balanceCents: field.number("What is still to be paid."),
  },
);
export type InvoiceSums = InstanceType<typeof InvoiceSums>;

export const InvoicePage = createPage("InvoicePage", "admin", "A page of invoices, with sums of the whole list.", {
  rows: field.list(() => ListedInvoiceRow, "The invoices of the page.", { access: readsBilling }),
  sums: field.object(() => InvoiceSums, "Sums of all rows that match the filter.", { access: readsBilling }),
});
export type InvoicePage = InstanceType<typeof InvoicePage>;

const InvoiceFilter = createInput("InvoiceFilter", invoiceFilterRules, {
  description: "Filters for the list of invoices. Omitted fields don't filter.",
  fields: {
    from: "First issue date in the vendor's time zone.",
    to: "Last issue date in the vendor's time zone.",
    customer: "Words from the name, company or email of the customer.",
    search: "Beginnings of words in the number, customer or description.",
    userId: { type: ID },
    id: { type: ID, description: "One draft, tax invoice or adjustment note." },
  },
});

export const InvoiceSortColumn = declareEnum("InvoiceSortColumn", "Columns that order the invoices.", {
  NUMBER: "By number.",
  DATE: "By the date of issue.",
  DUE: "By the due date.",
  CUSTOMER: "By the company of the customer, or by their name without one.",
  STATUS: "By status.",
  TOTAL: "By the amount including GST.",
  BALANCE: "By what is still to be paid.",
});
export type InvoiceSortColumn = keyof typeof InvoiceSortColumn;

const orderRules = object({
  by: mixed<InvoiceSortColumn>().required().default(InvoiceSortColumn.DATE),
  descending: boolean().default(true),
});

const InvoiceOrder = createInput("InvoiceOrder", orderRules, {
  description: "Order of the list of invoices.",
  fields: {
    by: { type: InvoiceSortColumn, description: "What to sort by." },
    descending: "Whether to sort in descending order.",
  },
});

@Resolver()
export class InvoiceListResolver {
  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @Query(() => InvoicePage, {
    description: "Lists drafts, tax invoices and adjustment notes of all customers.",
    complexity: createPageCost(),
  })
  async invoices(
    @CheckedArg("filter", InvoiceFilter, { defaultValue: {} }) filter: InvoiceFilterValues,
    @CheckedArg("order", InvoiceOrder, { defaultValue: {} }) order: InferType<typeof orderRules>,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: Context,
  ): Promise<InvoicePage> {
    return listInvoices(context, { filter, sort: order.by, descending: order.descending, ...toRowRange(page) });
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

/**
 * Emails a tax invoice or adjustment note to its customer and the billing contacts again, with the PDF, once for each key.
 * @throws AppError NOT_FOUND if the id is malformed or unknown; CONFLICT if the account was deleted.
 */
async function sendInvoiceAgain(context: Context, id: string, key: string): Promise<TaxInvoice> {
  return inTransaction(context, async (em) => {
    const invoice = await getRow(em, TaxInvoice, id);
    const { number } = invoice;
    // Without this lock, the emails and the audit entry could outlive an account that is being deleted.
    const user = await lockRow(em, User, invoice.user.id);
    if (user.deletedAt) throw conflict("This account has been deleted.");
    const sent = await sendEmails(context, em, await composeTaxInvoiceEmails(context, em, user, invoice, key));
    if (sent > 0)
      await recordChange(context, em, {
        action: "send-invoice-again",
        subject: { type: "invoice", id: invoice.id, name: number },
        userId: user.id,
        after: { to: user.email },
      });
    return invoice;
  });
}

const readsUsers = Allow("admin", { roles: customerStaff, scope: "users:read" });
const readsLicences = Allow("admin", { roles: customerStaff, scope: "licences:read" });
const readsTax = Allow("admin", { roles: ["finance"], scope: "users:read" });
const nullable = { nullable: true };

const linkTaxInvoice = createLink(() => TaxInvoice, createRowLoader(TaxInvoice));
const linkManualInvoice = createLink(() => ManualInvoice, createRowLoader(ManualInvoice));

/** Fields for the object behind each exposed ID (decision 0131). */
export const invoiceLinks = [
  createLinks(() => InvoicedLicence, {
    licence: linkLicence("licenceId", "The licence to extend. Null for a new licence.", readsLicences),
  }),
  createLinks(() => ListedInvoiceRow, {
    user: linkUser("userId", "The customer.", readsUsers),
    taxInvoice: linkTaxInvoice("taxInvoiceId", "The numbered document. Null for a draft.", readsBilling),
    manualInvoice: linkManualInvoice(
      "manualInvoiceId",
      "The invoice by hand behind the row, if there is one.",
      readsBilling,
    ),
  }),
  createLinks(() => ManualInvoice, {
    user: linkReference("user", () => User, "The customer.", readsUsers),
    licence: linkReference(
      "licence",
      () => Licence,
      "The licence that was issued or extended.",
      readsLicences,
      nullable,
    ),
    taxInvoice: linkReference(
      "taxInvoice",
      () => TaxInvoice,
      "The numbered document. Null in a draft.",
      readsBilling,
      nullable,
    ),
  }),
  createLinks(() => TaxEntryType, { user: linkUser("userId", "The customer.", readsTax) }),
  createLinks(() => TaxInvoice, {
    user: linkReference("user", () => User, "The customer. For admins only.", readsUsers),
  }),
];
