import { Arg, Args, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { type InferType, mixed } from "yup";
import { customerStaff } from "#schema/staff-roles.ts";
import {
  retryPaymentRules,
  subscriptionActionRules,
  subscriptionFilterRules,
  type SubscriptionFilterValues,
  type SubscriptionStatus,
  subscriptionStatuses,
} from "#schema/staff-money.ts";
import { Allow, createPage, createType, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";
import { DayScalar } from "#api/platform/graphql/scalars.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { PageArgs, toRowRange, createPageCost } from "#api/platform/graphql/page.ts";
import { check } from "#api/platform/validate.ts";
import { listSubscriptions, subscriptionsOfUser } from "./list-subscriptions.ts";
import { planAction, runSubscriptionAction } from "./run-action.ts";
import { sendUpdateCardLink } from "./update-payment-details.ts";
import { SubscriptionAction, SubscriptionActionKind } from "./subscription-action.entity.ts";

export const BillingSubscription = createType(
  "BillingSubscription",
  "admin",
  "A subscription as staff see it. Amounts are AUD cents including GST.",
  {
    id: field.id("Unique ID."),
    userId: field.id("The customer."),
    userName: field.text("First and last name of the customer."),
    companyName: field.text("Company of the customer."),
    email: field.text("Email address of the customer."),
    plan: field.text("Plan and interval."),
    status: field.choice<SubscriptionStatus>(subscriptionStatuses, "State of the subscription."),
    amountCents: fieldOrNull.integer("Charge for each period; null if unknown."),
    nextChargeCents: fieldOrNull.integer(
      "Charge for the next period, at the price that applies then. Null if nothing will be charged, or if unknown.",
    ),
    isCancelledAtPeriodEnd: field.flag("Whether it is cancelled and ends with its period, even if it is paused."),
    startedAt: field.moment("When the subscription began, in UTC."),
    periodEndsAt: field.moment(
      "The date of the next payment, or the end of a cancelled or ended subscription, in UTC.",
    ),
    pausedUntil: fieldOrNull.moment("The time at which a pause ends, in UTC."),
    licenceId: field.id("The licence that the subscription pays for."),
    licenceExpiresAt: field.moment("The date the licence expires, including grace days, or ended before that, in UTC."),
    cardBrand: fieldOrNull.text("Brand of the card, such as `visa`. Null if there is no card."),
    cardLast4: fieldOrNull.text("Last four digits of the card."),
    pastDueCents: fieldOrNull.integer("Overdue amount."),
    reason: fieldOrNull.text("The bank's reason for the failed payment, in words."),
    nextRetryAt: fieldOrNull.moment("The time of the next automatic attempt to pay, in UTC."),
  },
);
export type BillingSubscription = InstanceType<typeof BillingSubscription>;

export const SubscriptionActionPreview = createType(
  "SubscriptionActionPreview",
  "admin",
  "What an action on a subscription would do.",
  {
    amountCents: fieldOrNull.integer(
      "Overdue amount that `RETRY_PAYMENT` charges now, in AUD cents including GST. Null for others, or if unknown.",
    ),
    cardLast4: fieldOrNull.text("Last four digits of the card. Null if there is no card."),
    licenceExpiresAt: field.moment("When the licence expires without the action, in UTC."),
    licenceUntil: fieldOrNull.moment(
      "When the licence expires after the action, in UTC. Null if the action doesn't change that, or if the licence ends with the subscription.",
    ),
    pauseUntil: fieldOrNull.moment("When the pause ends, in UTC. Null for other actions."),
    renewsAt: fieldOrNull.moment(
      "When the card is charged next, in UTC. Null if it isn't, or if the action doesn't change that.",
    ),
    endsAt: fieldOrNull.moment(
      "When the subscription ends, in UTC. Null if it renews, or if the action doesn't change that.",
    ),
  },
);
export type SubscriptionActionPreview = InstanceType<typeof SubscriptionActionPreview>;

export const BillingSubscriptionPage = createPage("BillingSubscriptionPage", "admin", "A page of subscriptions.", {
  rows: field.list(() => BillingSubscription, "The subscriptions of the page.", {
    access: Scope("billing:read", customerStaff),
  }),
});
export type BillingSubscriptionPage = InstanceType<typeof BillingSubscriptionPage>;

const BillingSubscriptionFilter = createInput("BillingSubscriptionFilter", subscriptionFilterRules, {
  description: "Filters of the list of subscriptions.",
  fields: {
    search: "Text to find at word starts in the user's name, company or email.",
    statuses: "Statuses to include. Defaults to all.",
  },
});

const actionRules = subscriptionActionRules.shape({ kind: mixed<SubscriptionActionKind>().required() });

const termsRules = subscriptionActionRules.pick(["days", "pauseUntil"]);

const SubscriptionActionInput = createInput("SubscriptionActionInput", actionRules, {
  description: "An action of staff on a customer's subscription.",
  fields: {
    subscriptionId: { type: ID },
    kind: { type: SubscriptionActionKind },
    days: "Days by which to extend the licence, from 1 to 366.",
    pauseUntil: "Day on which a pause ends in the vendor's time zone.",
    licenceExpiresAt: "The licence's expiry that was shown. The action is refused if it has changed since.",
    reason: "Reason for the audit log, 3 to 500 characters.",
    key: "UUID. A repeated request with the same key returns the first result.",
  },
});

@Resolver()
export class BillingSubscriptionResolver {
  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @Query(() => BillingSubscriptionPage, {
    description: "Subscriptions of all customers, running ones first, by the end of their paid period.",
    complexity: createPageCost(60),
  })
  async billingSubscriptions(
    @CheckedArg("filter", BillingSubscriptionFilter, { defaultValue: {} })
    filter: SubscriptionFilterValues,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: Context,
  ): Promise<BillingSubscriptionPage> {
    return listSubscriptions(context, { ...filter, ...toRowRange(page) });
  }

  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @Query(() => SubscriptionActionPreview, {
    description: "Returns what an action on a subscription would do, without doing it.",
  })
  async subscriptionActionPreview(
    @Arg("subscriptionId", () => ID, { description: "The subscription." }) subscriptionId: string,
    @Arg("kind", () => SubscriptionActionKind, { description: "The action." }) kind: SubscriptionActionKind,
    @Arg("days", () => Int, { nullable: true, description: "Days by which to extend the licence, from 1 to 366." })
    days: number | null,
    @Arg("pauseUntil", () => DayScalar, { nullable: true, description: "The day on which a pause ends, at its start." })
    pauseUntil: string | null,
    @Ctx() context: Context,
  ): Promise<SubscriptionActionPreview> {
    const terms = check(termsRules, { days, pauseUntil });
    const plan = await planAction(context, context.em, { subscriptionId, kind, ...terms });
    const { cardLast4, licence } = plan.subscription;
    return { ...plan, cardLast4, licenceExpiresAt: licence.expiresAt };
  }

  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => SubscriptionAction, {
    description: "Runs an action on a customer's subscription, exactly once for each key.",
  })
  async runSubscriptionAction(
    @CheckedArg("input", SubscriptionActionInput) input: InferType<typeof actionRules>,
    @Ctx() context: Context,
  ): Promise<SubscriptionAction> {
    return runSubscriptionAction(context, input.kind, input);
  }

  @Allow("admin", { roles: customerStaff, harm: "money" })
  @Mutation(() => SubscriptionAction, {
    description: "Charges the card for the overdue payment of a subscription now. FAILED if the bank declines it.",
  })
  async retryPayment(
    @Arg("subscriptionId", () => ID, { description: "The subscription." }) subscriptionId: string,
    @Arg("key", () => String, { description: "UUID. A repeated request with the same key doesn't charge again." })
    key: string,
    @Ctx() context: Context,
  ): Promise<SubscriptionAction> {
    return runSubscriptionAction(
      context,
      SubscriptionActionKind.RETRY_PAYMENT,
      check(retryPaymentRules, { subscriptionId, key }),
    );
  }

  @Allow("admin", { roles: customerStaff, scope: "session", harm: "others" })
  @Mutation(() => User, { description: "Emails a customer a link to the page where they can replace their card." })
  async sendUpdateCardLink(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Ctx() context: Context,
  ): Promise<User> {
    return sendUpdateCardLink(context, userId);
  }
}

@Resolver(() => User)
export class SubscriptionsOfUserResolver {
  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @FieldResolver(() => [BillingSubscription], { description: "The user's subscriptions, newest first. Admins only." })
  async billingSubscriptions(@Root() user: User, @Ctx() context: Context): Promise<BillingSubscription[]> {
    return subscriptionsOfUser(context, user.id);
  }
}
