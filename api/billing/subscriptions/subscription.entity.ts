import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";

/**
 * The paid, renewing agreement at the payment provider that keeps one licence valid. Contains the provider's latest
 * data, which only `sync-customer.ts` writes.
 */
@VisibleTo("regular")
@ObjectType({ description: "A paid, renewing agreement that keeps one licence valid." })
@Entity({ tableName: "subscriptions" })
@Index({
  name: "subscriptions_one_active_a_user",
  expression:
    "create unique index subscriptions_one_active_a_user on subscriptions (user_id) where status in ('active', 'past_due')",
})
@Index({
  name: "subscriptions_past_due",
  expression:
    "create index subscriptions_past_due on subscriptions (coalesce(paid_until, current_period_ends_at), id) where status = 'past_due'",
})
@Index({
  name: "subscriptions_running",
  expression:
    "create index subscriptions_running on subscriptions (started_at, id) include (plan_price, amount_cents, is_cancelled_at_period_end, licence_id, status, paid_until, current_period_ends_at) where status in ('active', 'past_due')",
})
@Index({
  name: "subscriptions_begun",
  expression: "create index subscriptions_begun on subscriptions (started_at, id)",
})
@Index({
  name: "subscriptions_ended",
  expression:
    "create index subscriptions_ended on subscriptions (coalesce(ended_at, current_period_ends_at), id) include (started_at) where status = 'cancelled'",
})
@Index({
  name: "subscriptions_cancellation_pending",
  expression:
    "create index subscriptions_cancellation_pending on subscriptions (cancellation_pending_since, id) where cancellation_pending_since is not null",
})
@Index({
  name: "subscriptions_paused",
  expression: "create index subscriptions_paused on subscriptions (paused_until, id) where paused_until is not null",
})
export class Subscription {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => User)
  user!: User;

  @Index()
  @ManyToOne(() => Licence)
  licence!: Licence;

  @Unique()
  @Property({ type: types.string, nullable: true })
  providerSubscriptionId: string | null = null;

  /** Price id in the catalogue, such as `xer-professional-yearly`. */
  @Property({ type: types.string })
  planPrice!: string;

  /** Amount charged per period, in cents before GST; null if the subscription predates the payment provider. */
  @Property({ type: types.integer, nullable: true })
  amountCents: number | null = null;

  @Property({ type: types.string })
  status!: "active" | "past_due" | "cancelled";

  @Field(() => Date, { description: "The date the subscription started, in UTC." })
  @Property({ type: types.datetime })
  startedAt!: Date;

  @Field(() => Date, { description: "The date the next payment is due, or a cancelled subscription ends, in UTC." })
  @Property({ type: types.datetime })
  currentPeriodEndsAt!: Date;

  /** End of the paid time, whether or not the last paid period has started. */
  @Property({ type: types.datetime, nullable: true })
  paidUntil: Date | null = null;

  @Field(() => Boolean, { description: "Whether the subscription is cancelled and ends with the current period." })
  @Property({ type: types.boolean })
  isCancelledAtPeriodEnd: Opt<boolean> = false;

  @Field(() => Date, {
    nullable: true,
    description: "The time at which a pause ends, in UTC; null if the subscription isn't paused.",
  })
  @Property({ type: types.datetime, nullable: true })
  pausedUntil: Date | null = null;

  /** End of the paid time that the latest pause moved; null if the subscription was never paused. */
  @Property({ type: types.datetime, nullable: true })
  movedUntil: Date | null = null;

  /** Date until which staff extended the licence; it ends then if its payments don't keep it longer. */
  @Property({ type: types.datetime, nullable: true })
  licenceExtendedUntil: Date | null = null;

  /** Price id that applies from the next renewal, if a change is scheduled. */
  @Property({ type: types.string, nullable: true })
  nextPlanPrice: string | null = null;

  /** Amount from the next renewal, in cents before GST, if a change of plan or price is scheduled. */
  @Property({ type: types.integer, nullable: true })
  nextAmountCents: number | null = null;

  @Property({ type: types.datetime, nullable: true })
  endedAt: Date | null = null;

  /** Set while a payment is disputed and the licence is therefore suspended. */
  @Property({ type: types.datetime, nullable: true })
  disputedAt: Date | null = null;

  /**
   * Set until the payment provider confirms that it cancelled the subscription of an archived account and refunded any
   * charge made after archiving.
   */
  @Property({ type: types.datetime, nullable: true })
  cancellationPendingSince: Date | null = null;

  @Field(() => String, { nullable: true, description: "Brand of the card on file." })
  @Property({ type: types.string, nullable: true })
  cardBrand: string | null = null;

  @Field(() => String, { nullable: true, description: "Last four digits of the card on file." })
  @Property({ type: types.string, nullable: true })
  cardLast4: string | null = null;

  @Field(() => String, { nullable: true, description: "Expiry date of the card as MM/YY." })
  @Property({ type: types.string, nullable: true })
  cardExpires: string | null = null;

  /** GST rate of the provider's invoices. */
  @Property({ type: types.integer })
  gstBasisPoints: Opt<number> = 0;
}
