import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import { User } from "#api/people/users/user.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";

/**
 * The paid, renewing agreement at the payment provider that keeps one licence alive. What is written here is what the
 * provider said last (`sync-customer.ts`); nothing else writes it.
 */
@ObjectType({ description: "The paid, renewing agreement that keeps one licence alive." })
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
export class Subscription {
  @Field(() => ID)
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

  /** Price id of the catalogue, such as `xer-professional-yearly`. */
  @Property({ type: types.string })
  planPrice!: string;

  /** What is charged a period, cents before GST; null for one from before the provider. */
  @Property({ type: types.integer, nullable: true })
  amountCents: number | null = null;

  @Property({ type: types.string })
  status!: "active" | "past_due" | "cancelled";

  @Field(() => Date, { description: "UTC." })
  @Property({ type: types.datetime })
  startedAt!: Date;

  @Field(() => Date, { description: "When the next payment is due, or when a cancelled subscription ends, UTC." })
  @Property({ type: types.datetime })
  currentPeriodEndsAt!: Date;

  /** End of what was paid for, whether or not the period behind it has begun. */
  @Property({ type: types.datetime, nullable: true })
  paidUntil: Date | null = null;

  @Field(() => Boolean, { description: "It was cancelled and runs until the end of its period." })
  @Property({ type: types.boolean })
  isCancelledAtPeriodEnd: Opt<boolean> = false;

  /** Price id from the next renewal on, when a change was planned. */
  @Property({ type: types.string, nullable: true })
  nextPlanPrice: string | null = null;

  @Property({ type: types.datetime, nullable: true })
  endedAt: Date | null = null;

  /** A payment is disputed: its licence is suspended because of it. */
  @Property({ type: types.datetime, nullable: true })
  disputedAt: Date | null = null;

  /**
   * Set while the payment provider still has to cancel the subscription of an archived account, or refund a charge it
   * took after the account was archived; null once the provider confirms both.
   */
  @Property({ type: types.datetime, nullable: true })
  cancellationPendingSince: Date | null = null;

  @Field(() => String, { nullable: true, description: "Brand of the card that is charged." })
  @Property({ type: types.string, nullable: true })
  cardBrand: string | null = null;

  @Field(() => String, { nullable: true, description: "Last four digits of the card that is charged." })
  @Property({ type: types.string, nullable: true })
  cardLast4: string | null = null;

  @Field(() => String, { nullable: true, description: "MM/YY." })
  @Property({ type: types.string, nullable: true })
  cardExpires: string | null = null;

  /** GST that the provider adds to its invoices. */
  @Property({ type: types.integer })
  gstBasisPoints: Opt<number> = 0;
}
