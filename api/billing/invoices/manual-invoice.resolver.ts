import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { customerStaff } from "#schema/staff-roles.ts";
import {
  invoicedLicenceRules,
  invoiceLineRules,
  type InvoiceStatus,
  invoiceStatuses,
  manualInvoiceRules,
  type ManualInvoiceValues,
  reasonRules,
  requestKeyRules,
} from "#schema/manual-invoice.ts";
import type { InferType } from "yup";
import { getBillingContact } from "#api/billing/billing-contacts/billing-contacts.ts";
import { getCredit } from "#api/billing/credits/credits.ts";
import { getUser } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import {
  Allow,
  createType,
  DeletedObject,
  enumType,
  field,
  fieldOrNull,
  toDeletedObject,
} from "#api/platform/graphql/declare.ts";
import { loadReference } from "#api/platform/graphql/loaders.ts";
import { check } from "#api/platform/validate.ts";
import { applyCredit, calculateAmounts, createInvoice, discardInvoice, updateInvoice } from "./edit-invoices.ts";
import { documentAmountFields } from "./invoice-fields.ts";
import { getBalanceCents, getInvoiceStatus } from "./invoice-status.ts";
import { getDefaultDueAt, issueInvoice } from "./issue-invoice.ts";
import { ManualInvoice } from "./manual-invoice.entity.ts";
import { voidInvoice } from "./void-invoice.ts";
import { getRow } from "#api/platform/database/database.ts";

const ManualInvoiceLineInput = createInput("ManualInvoiceLineInput", invoiceLineRules, {
  description: "A line of an invoice by hand.",
  fields: {
    unitCents: "AUD cents without GST.",
    firstDay:
      "First day of the service, over which the line is earned. Without both days, the line has the period of the invoice's licence, if there is one.",
    lastDay: "Last day of the service.",
    withoutPeriod: "Whether the line has no service period, so that it is earned when the invoice is issued.",
  },
});

const InvoicedLicenceInput = createInput("InvoicedLicenceInput", invoicedLicenceRules, {
  description: "The licence to issue or extend when the invoice is paid.",
  fields: {
    licenceId: { type: ID, description: "The licence to extend. Omit it for a new licence." },
    until: "Last day of the licence.",
  },
});

const ManualInvoiceInput = createInput("ManualInvoiceInput", manualInvoiceRules, {
  description: "An invoice that staff write for a customer.",
  fields: {
    lines: { input: ManualInvoiceLineInput },
    dueDay: "Due date in the vendor's time zone. Default: 14 days after issue.",
    purchaseOrder: "The customer's purchase order number.",
    licence: { input: InvoicedLicenceInput },
  },
});

export const InvoicePreview = createType(
  "InvoicePreview",
  "admin",
  "What issuing an invoice would do. Amounts are AUD cents.",
  {
    ...documentAmountFields,
    discountCents: field.integer("The reduction of the price by the customer's goodwill credit, without GST."),
    creditCents: field.integer("The customer's credit that would pay a part, or all."),
    defaultDueAt: field.moment("The due date without another choice, in UTC."),
    defaultPurchaseOrder: fieldOrNull.text("The purchase order number without another one, of the billing contact."),
  },
);
export type InvoicePreview = InstanceType<typeof InvoicePreview>;

@Resolver(() => ManualInvoice)
export class ManualInvoiceResolver {
  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @Query(() => ManualInvoice, { description: "An invoice by hand." })
  manualInvoice(
    @Arg("id", () => ID, { description: "The invoice." }) id: string,
    @Ctx() context: Context,
  ): Promise<ManualInvoice> {
    return getRow(context.em, ManualInvoice, id);
  }

  @Allow("admin", { roles: ["finance"], scope: "billing:read" })
  @Query(() => InvoicePreview, { description: "The GST and total of an invoice for a customer." })
  async invoicePreview(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Arg("lines", () => [ManualInvoiceLineInput.type], { description: "The lines of the invoice." }) lines: InferType<
      typeof invoiceLineRules
    >[],
    @Ctx() context: Context,
  ): Promise<InvoicePreview> {
    const user = await getUser(context, userId);
    const amounts = calculateAmounts(check(manualInvoiceRules.pick(["lines"]), { lines }).lines, user.country);
    return {
      ...applyCredit(amounts, await getCredit(context.em, user.id)),
      defaultDueAt: getDefaultDueAt(context.clock.now()),
      defaultPurchaseOrder: (await getBillingContact(context.em, user.id)).purchaseOrder || null,
    };
  }

  @Allow("admin", { roles: ["finance"], scope: "session", harm: "others" })
  @Mutation(() => ManualInvoice, { description: "Creates a draft invoice. It has no number and isn't sent yet." })
  async createInvoice(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @CheckedArg("input", ManualInvoiceInput) input: ManualInvoiceValues,
    @Arg("key", () => String, { description: "A new UUID. A repeated call returns the first draft." }) key: string,
    @Ctx() context: Context,
  ): Promise<ManualInvoice> {
    return createInvoice(context, userId, input, check(requestKeyRules, { key }).key);
  }

  @Allow("admin", { roles: ["finance"], scope: "session", harm: "others" })
  @Mutation(() => ManualInvoice, { description: "Changes a draft." })
  async updateInvoice(
    @Arg("id", () => ID, { description: "The draft." }) id: string,
    @CheckedArg("input", ManualInvoiceInput) input: ManualInvoiceValues,
    @Arg("revision", () => Int, { description: "The revision you loaded; an outdated one gives a CONFLICT." })
    revision: number,
    @Ctx() context: Context,
  ): Promise<ManualInvoice> {
    return updateInvoice(context, id, input, revision);
  }

  @Allow("admin", { roles: ["finance"], scope: "session", harm: "others" })
  @Mutation(() => DeletedObject, { description: "Deletes a draft." })
  async discardInvoice(
    @Arg("id", () => ID, { description: "The draft." }) id: string,
    @Ctx() context: Context,
  ): Promise<DeletedObject> {
    await discardInvoice(context, id);
    return toDeletedObject(id);
  }

  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => ManualInvoice, {
    description:
      "Gives a draft its number, applies the customer's credit and emails the PDF. A repeated call returns the invoice.",
  })
  async issueInvoice(
    @Arg("id", () => ID, { description: "The draft." }) id: string,
    @Arg("revision", () => Int, { description: "The revision you loaded; an outdated one gives a CONFLICT." })
    revision: number,
    @Ctx() context: Context,
  ): Promise<ManualInvoice> {
    return issueInvoice(context, id, revision);
  }

  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => ManualInvoice, {
    description:
      "Voids an open invoice with an adjustment note and emails it. What was paid so far becomes credit. A repeated call returns the invoice.",
  })
  async voidInvoice(
    @Arg("id", () => ID, { description: "The invoice." }) id: string,
    @Arg("reason", () => String, { description: "The reason, for the audit log." }) reason: string,
    @Arg("expectedBalanceCents", () => Int, {
      nullable: true,
      description: "The balance you saw; another one gives a CONFLICT. Without it, any balance is accepted.",
    })
    expectedBalanceCents: number | null,
    @Ctx() context: Context,
  ): Promise<ManualInvoice> {
    return voidInvoice(context, id, check(reasonRules, { reason }).reason, expectedBalanceCents);
  }

  @FieldResolver(enumType(invoiceStatuses), { description: invoiceStatuses.meaning })
  status(@Root() invoice: ManualInvoice, @Ctx() { clock }: Context): InvoiceStatus {
    return getInvoiceStatus(invoice, clock.now());
  }

  @FieldResolver(() => Int, { description: "What is still to be paid." })
  balanceCents(@Root() invoice: ManualInvoice): number {
    return getBalanceCents(invoice);
  }

  @FieldResolver(() => String, { nullable: true, description: "Null in a draft." })
  async number(@Root() { taxInvoice }: ManualInvoice): Promise<string | null> {
    return taxInvoice && (await loadReference(taxInvoice)).number;
  }

  @FieldResolver(() => ID, { nullable: true, description: "The ID for downloading the PDF. Null in a draft." })
  taxInvoiceId(@Root() { taxInvoice }: ManualInvoice): string | null {
    return taxInvoice?.id ?? null;
  }

  @FieldResolver(() => String, { nullable: true, description: "Number of the adjustment note of a void invoice." })
  async voidNoteNumber(@Root() { voidNote }: ManualInvoice): Promise<string | null> {
    return voidNote && (await loadReference(voidNote)).number;
  }

  @FieldResolver(() => ID, { nullable: true, description: "The licence that was issued or extended." })
  licenceId(@Root() { licence }: ManualInvoice): string | null {
    return licence?.id ?? null;
  }

  @FieldResolver(() => ID, { description: "The customer." })
  userId(@Root() { user }: ManualInvoice): string {
    return user.id;
  }
}
