import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import {
  kept,
  Cents,
  Flag,
  Integer,
  Moment,
  Reference,
  RowId,
  SqlIndex,
  Text,
} from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { PAYMENT_GRACE_MS } from "#api/billing/subscriptions/payment-rules.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";
import { conflict } from "#api/platform/errors.ts";

/**
 * The paid, renewing agreement at the payment provider that keeps one licence valid. Contains the provider's latest
 * data, which only `sync-customer.ts` writes.
 */
@VisibleTo("regular")
@ObjectType({ description: "A paid, renewing agreement that keeps one licence valid." })
@Entity({ tableName: "subscriptions" })
@SqlIndex(
  "create unique index subscriptions_one_active_a_user on subscriptions (user_id) where status in ('active', 'past_due')",
)
@SqlIndex(
  "create index subscriptions_past_due on subscriptions (coalesce(paid_until, current_period_ends_at), id) where status = 'past_due'",
)
@SqlIndex(
  "create index subscriptions_running on subscriptions (started_at, id) include (plan_price, amount_cents, is_cancelled_at_period_end, licence_id, status, paid_until, current_period_ends_at) where status in ('active', 'past_due')",
)
@SqlIndex("create index subscriptions_begun on subscriptions (started_at, id)")
@SqlIndex(
  "create index subscriptions_ended on subscriptions (coalesce(ended_at, current_period_ends_at), id) include (started_at) where status = 'cancelled'",
)
@SqlIndex(
  "create index subscriptions_cancellation_pending on subscriptions (cancellation_pending_since, id) where cancellation_pending_since is not null",
)
@SqlIndex("create index subscriptions_paused on subscriptions (paused_until, id) where paused_until is not null")
export class Subscription {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => User, { personal: kept.books })
  user!: User;

  @Index()
  @Reference(() => Licence, { personal: kept.books })
  licence!: Licence;

  @Unique()
  @Text({ nullable: true, personal: kept.books })
  providerSubscriptionId: string | null = null;

  /** Price id in the catalogue, such as `xer-professional-yearly`. */
  @Text({ personal: "none" })
  planPrice!: string;

  /** Amount charged per period, in cents before GST; null if the subscription predates the payment provider. */
  @Cents({ nullable: true })
  amountCents: number | null = null;

  @Text({ personal: { erasedBy: "profile" } })
  status!: "active" | "past_due" | "cancelled";

  @Moment("The date the subscription started, in UTC.")
  startedAt!: Date;

  @Moment("The date the next payment is due, or a cancelled subscription ends, in UTC.")
  currentPeriodEndsAt!: Date;

  /** End of the paid time, whether or not the last paid period has started. */
  @Moment({ nullable: true })
  paidUntil: Date | null = null;

  @Flag("Whether the subscription is cancelled and ends with the current period.")
  isCancelledAtPeriodEnd: Opt<boolean> = false;

  @Moment("The time at which a pause ends, in UTC; null if the subscription isn't paused.", { nullable: true })
  pausedUntil: Date | null = null;

  /** End of the paid time that the latest pause moved; null if the subscription was never paused. */
  @Moment({ nullable: true })
  movedUntil: Date | null = null;

  @Moment("Date until which staff extended the licence, in UTC. It ends then if its payments don't keep it longer.", {
    nullable: true,
  })
  licenceExtendedUntil: Date | null = null;

  /** Price id that applies from the next renewal, if a change is scheduled. */
  @Text({ nullable: true, personal: "none" })
  nextPlanPrice: string | null = null;

  /** Amount from the next renewal, in cents before GST, if a change of plan or price is scheduled. */
  @Cents({ nullable: true })
  nextAmountCents: number | null = null;

  @Moment({ nullable: true })
  endedAt: Date | null = null;

  /** Set while a payment is disputed and the licence is therefore suspended. */
  @Moment({ nullable: true })
  disputedAt: Date | null = null;

  /**
   * Set until the payment provider confirms that it cancelled the subscription of an archived account and refunded any
   * charge made after archiving.
   */
  @Moment({ nullable: true })
  cancellationPendingSince: Date | null = null;

  @Text("Brand of the card on file.", { nullable: true, personal: { erasedBy: "cards" } })
  cardBrand: string | null = null;

  @Text("Last four digits of the card on file.", { nullable: true, personal: { erasedBy: "cards" } })
  cardLast4: string | null = null;

  @Text("Expiry date of the card as MM/YY.", { nullable: true, personal: { erasedBy: "cards" } })
  cardExpires: string | null = null;

  /** GST rate of the provider's invoices. */
  @Integer()
  gstBasisPoints: Opt<number> = 0;
}

/**
 * Subscription states. All queries that select subscriptions by status use one of these definitions.
 *
 * - *Running*: the agreement exists at the payment provider, so it can be paid, changed or cancelled, and the user can't
 *   start a second one. Customer screens call this an active subscription.
 * - *Active*: running and paid. Only active subscriptions count as revenue.
 * - *Past due*: running but not active, because the last renewal failed or the paid period has expired. Counted
 *   separately, never as revenue.
 */
const runningStatuses = ["active", "past_due"] as const;

/** Condition of the ORM: the subscription is running. */
export const isRunning = { status: { $in: [...runningStatuses] } };

/** SQL condition: the subscription with table alias `s` is running. */
export const isRunningSql = `s.status in (${runningStatuses.map((status) => `'${status}'`).join(", ")})`;

/** SQL condition: the last renewal of the subscription with table alias `s` failed. */
export const hasFailedRenewalSql = "s.status = 'past_due'";

/** SQL condition: the subscription with table alias `s` is running and will renew. */
export const isRenewingSql = `${isRunningSql} and not s.is_cancelled_at_period_end`;

/** Returns whether a subscription renews a licence. */
export async function isRenewed(em: EntityManager, licenceId: string): Promise<boolean> {
  const sql = `select from subscriptions s where s.licence_id = $1 and ${isRenewingSql} limit 1`;
  return (await query(em, sql, [licenceId])).length > 0;
}

/** SQL expression: end of the paid period of the subscription with table alias `s`. */
export const paidUntilSql = "coalesce(s.paid_until, s.current_period_ends_at)";

const grace = `interval '${PAYMENT_GRACE_MS / DAY} days'`;

/** Returns the SQL condition that the subscription with table alias `s` is active at the time `now`. */
export const isActiveSql = (now: string) => `s.status = 'active' and ${paidUntilSql} > ${now} - ${grace}`;

/** Returns the SQL condition that the subscription with table alias `s` is past due at the time `now`. */
export const isPastDueSql = (now: string) =>
  `${isRunningSql} and (${hasFailedRenewalSql} or ${paidUntilSql} <= ${now} - ${grace})`;

const createRunningLoader = (owner: "user_id" | "licence_id") =>
  createLoader(async ({ em }: Pick<Context, "em">, ids: readonly string[]): Promise<boolean[]> => {
    const sql = `select s.${owner} as id from subscriptions s where s.${owner} = any($1::uuid[]) and ${isRunningSql}`;
    const owners = new Set((await query<{ id: string }>(em, sql, [[...ids]])).map(({ id }) => id));
    return ids.map((id) => owners.has(id));
  });

/** Returns whether a user has a running subscription, including one in the grace period after a failed renewal. */
export const hasActiveSubscription = createRunningLoader("user_id");

/** Returns whether a licence has a running subscription, including one in the grace period after a failed renewal. */
export const hasRunningSubscription = createRunningLoader("licence_id");

/**
 * Returns the caller's running subscription, including one in the grace period after a failed renewal.
 * @throws AppError CONFLICT if the caller has no running subscription.
 */
export async function getRunningSubscription(context: Context): Promise<Subscription> {
  const running = await findRunningSubscriptionOfUser(context, getCallerId(context));
  if (!running) throw conflict("You don't have an active subscription.");
  return running;
}

/** Returns a user's running subscription, or null. */
export async function findRunningSubscriptionOfUser(
  { em }: Pick<Context, "em">,
  userId: string,
): Promise<Subscription | null> {
  return em.findOne(Subscription, { user: userId, ...isRunning }, { populate: ["licence"], refresh: true });
}
