import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { object } from "yup";
import { customerStaff } from "#schema/staff-roles.ts";
import { receivedPaymentRules, type ReceivedPaymentValues, requestKey } from "#schema/manual-invoice.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { createType, field } from "#api/platform/graphql/create-type.ts";
import { Allow, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { notFound } from "#api/platform/errors.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createRelationLoader, loadReference } from "#api/platform/graphql/loaders.ts";
import { check, isUuid } from "#api/platform/validate.ts";
import { planPayment, recordPayment } from "./record-payment.ts";
import { ReceivedPayment } from "./received-payment.entity.ts";

const ReceivedPaymentInput = createInput("ReceivedPaymentInput", receivedPaymentRules, {
  description: "A payment that arrived by bank transfer or in another way.",
  fields: {
    amountCents: "AUD cents.",
    receivedDay: "Day on which it arrived in the vendor's time zone.",
  },
});

export const PaymentPreview = createType(
  "PaymentPreview",
  VisibleTo("admin"),
  "What a payment would do. Amounts are AUD cents.",
  {
    appliedCents: field.integer("The part that pays the invoice."),
    creditCents: field.integer("The part above the balance, which becomes credit."),
    balanceCents: field.integer("What is still to be paid afterwards."),
  },
);
export type PaymentPreview = InstanceType<typeof PaymentPreview>;

const requestRules = object({ key: requestKey() });

const paymentsOfInvoice = createRelationLoader<ReceivedPayment>({
  entity: ReceivedPayment,
  of: "invoice",
  orderBy: { receivedAt: "asc", recordedAt: "asc", id: "asc" },
});

@Resolver(() => ReceivedPayment)
export class PaymentResolver {
  @Allow("admin", { roles: ["finance"], scope: "billing:read" })
  @Query(() => PaymentPreview, { description: "What a payment of an amount would do to an invoice." })
  async paymentPreview(
    @Arg("invoiceId", () => ID, { description: "The invoice." }) invoiceId: string,
    @Arg("amountCents", () => Int, { description: "Amount of the payment, in AUD cents." }) amountCents: number,
    @Ctx() context: Context,
  ): Promise<PaymentPreview> {
    const invoice = isUuid(invoiceId) ? await context.em.findOne(ManualInvoice, invoiceId) : null;
    if (!invoice) throw notFound();
    return planPayment(invoice, check(receivedPaymentRules.pick(["amountCents"]), { amountCents }).amountCents);
  }

  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => ReceivedPayment, {
    description:
      "Records a payment. Payment in full issues or extends the licence and emails the receipt; an overpayment becomes credit.",
  })
  async recordPayment(
    @Arg("invoiceId", () => ID, { description: "The invoice." }) invoiceId: string,
    @CheckedArg("input", ReceivedPaymentInput) input: ReceivedPaymentValues,
    @Arg("expectedBalanceCents", () => Int, { description: "The balance you saw; another one gives a CONFLICT." })
    expected: number,
    @Arg("key", () => String, { description: "A new UUID. A repeated call returns the first payment." }) key: string,
    @Ctx() context: Context,
  ): Promise<ReceivedPayment> {
    return recordPayment(context, invoiceId, input, { ...check(requestRules, { key }), expected });
  }

  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @FieldResolver(() => ManualInvoice, { description: "The invoice that was paid." })
  async invoice(@Root() { invoice }: ReceivedPayment): Promise<ManualInvoice> {
    return loadReference(invoice);
  }
}

const paymentsReceivedFromUser = createRelationLoader<ReceivedPayment>({
  entity: ReceivedPayment,
  of: "user",
  orderBy: { receivedAt: "desc", recordedAt: "desc", id: "desc" },
});

@Resolver(() => User)
export class ReceivedPaymentsOfUserResolver {
  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @FieldResolver(() => [ReceivedPayment], {
    description: "Payments of the user's invoices by hand, newest first. Admins only.",
  })
  async receivedPayments(@Root() { id }: User, @Ctx() context: Context): Promise<ReceivedPayment[]> {
    return paymentsReceivedFromUser(context, id);
  }
}

@Resolver(() => ManualInvoice)
export class PaymentsOfInvoiceResolver {
  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @FieldResolver(() => [ReceivedPayment], { description: "Payments received, oldest first." })
  async payments(@Root() { id }: ManualInvoice, @Ctx() context: Context): Promise<ReceivedPayment[]> {
    return paymentsOfInvoice(context, id);
  }
}
