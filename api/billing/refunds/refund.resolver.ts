import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { User } from "#api/people/users/user.entity.ts";
import { Allow, createType, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { refundRules, type RefundValues } from "#schema/staff-money.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createRelationLoader, loadReference } from "#api/platform/graphql/loaders.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { findNextPeriod, planRefund } from "./plan-refund.ts";
import { Refund, RefundLicence } from "./refund.entity.ts";
import { refundInvoice } from "./refund-invoice.ts";

const RefundInput = createInput("RefundInput", refundRules, {
  description: "A refund of a paid invoice.",
  fields: {
    invoiceId: { type: ID, description: "Id of the tax invoice." },
    amountCents: "Amount in cents including GST. Defaults to everything that is left of the payment.",
    remainingCents:
      "Remaining amount that `refundPreview` returned. The refund is refused if the amount has changed since.",
    unusedTime:
      "Whether to refund the days after today. Another amount than `refundPreview` returned for them gives a CONFLICT.",
    licence: { type: RefundLicence, description: "Defaults to what `refundPreview` suggests." },
    reason: "Reason for the audit log, 3 to 500 characters.",
    key: "UUID. A repeated request with the same key returns the first result.",
  },
});

export const RefundableTime = createType(
  "RefundableTime",
  "admin",
  "The days of an invoice after today, and their part of its amount.",
  {
    daysUsed: field.integer("Days until today, without paused ones."),
    daysLeft: field.integer("Days after today."),
    lastDay: field.day("Last day of the service."),
    amountCents: field.integer("What they are worth, in cents including GST."),
  },
);
export type RefundableTime = InstanceType<typeof RefundableTime>;

export const RefundPreview = createType("RefundPreview", "admin", "What a refund would do.", {
  remainingCents: field.integer("What can still be refunded, in cents including GST."),
  amountCents: field.integer("Amount in cents including GST."),
  gstCents: field.integer("GST in the amount, in cents."),
  hasSubscription: field.flag("Whether the invoice paid for a subscription, whose licence can end."),
  unused: fieldOrNull.object(() => RefundableTime, "What is left after today. Null if nothing is.", {
    access: Scope("billing:read", ["finance"]),
  }),
  licenceChoices: field.codes(RefundLicence, "What can be chosen for the licence."),
  suggestedLicence: field.code(RefundLicence, "What we suggest for the licence."),
  licence: field.code(RefundLicence, "What happens to the licence: the given choice, or what we suggest."),
  isToCard: field.flag(
    "Whether the amount goes back to the card, usually within 5 to 10 business days. Otherwise, pay it yourself.",
  ),
  cardLast4: fieldOrNull.text("Last four digits of the card. Null if it isn't known."),
  supportCode: fieldOrNull.text(
    "Support code of the licence that the invoice sold without a subscription. Null if it sold none.",
  ),
  renewsAt: fieldOrNull.moment(
    "When the subscription renews and is charged. Null without one, and if it ends or has ended.",
  ),
  endsAt: fieldOrNull.moment("When the subscription ends. Null without one, and if it renews or has ended already."),
});
export type RefundPreview = InstanceType<typeof RefundPreview>;

const refundsOfUser = createRelationLoader<Refund>({
  entity: Refund,
  of: "user",
  orderBy: { createdAt: "desc", id: "desc" },
});

@Resolver(() => Refund)
export class RefundResolver {
  @Allow("admin", { roles: ["finance"], scope: "billing:read" })
  @Query(() => RefundPreview, { description: "Returns what a refund would do, without doing it." })
  async refundPreview(
    @Arg("invoiceId", () => ID, { description: "The invoice." }) invoiceId: string,
    @Arg("amountCents", () => Int, {
      nullable: true,
      description: "Amount to refund in cents including GST. Defaults to everything that is left.",
    })
    amountCents: number | null,
    @Arg("licence", () => RefundLicence, {
      nullable: true,
      description: "Effect on the subscription and its licence. Defaults to the suggested one.",
    })
    licence: RefundLicence | null,
    @Arg("unusedTime", () => Boolean, { nullable: true, description: "Whether to refund the days after today." })
    unusedTime: boolean | null,
    @Ctx() context: Context,
  ): Promise<RefundPreview> {
    const plan = await planRefund(context, context.em, { invoiceId, amountCents, licence, unusedTime });
    return {
      ...plan,
      hasSubscription: plan.subscription !== null,
      suggestedLicence: plan.suggested,
      cardLast4: plan.invoice.cardLast4,
      supportCode: plan.invoicedLicence?.supportCode ?? null,
      ...findNextPeriod(plan, context.clock.now()),
    };
  }

  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => Refund, {
    description:
      "Refunds a paid invoice, in full or in part, exactly once for each key. A card payment goes back to the card; another payment is only recorded.",
  })
  async refundInvoice(@CheckedArg("input", RefundInput) input: RefundValues, @Ctx() context: Context): Promise<Refund> {
    return refundInvoice(context, input);
  }

  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @FieldResolver(() => TaxInvoice, { description: "The refunded invoice." })
  async taxInvoice(@Root() { taxInvoice }: Refund): Promise<TaxInvoice> {
    return loadReference(taxInvoice);
  }

  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @FieldResolver(() => TaxInvoice, { nullable: true, description: "The adjustment note; null until it is issued." })
  async adjustmentNote(@Root() { adjustmentNote }: Refund): Promise<TaxInvoice | null> {
    return adjustmentNote && loadReference(adjustmentNote);
  }
}

@Resolver(() => User)
export class RefundsOfUserResolver {
  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @FieldResolver(() => [Refund], { description: "Refunds by staff, newest first. Admins only." })
  async refunds(@Root() user: User, @Ctx() context: Context): Promise<Refund[]> {
    return refundsOfUser(context, user.id);
  }
}
