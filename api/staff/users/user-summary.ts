import { createType, fieldOrNull } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { findSignInBlock } from "#api/access/sessions/sign-in-limits.ts";
import { mixesScripts, toSkeletonSql } from "#api/people/users/user-indexes.ts";
import { getUser, type User } from "#api/people/users/user.entity.ts";
import { findPlanPrice, formatPlanPrice } from "#api/billing/plans/plan.entity.ts";
import { addGst } from "#api/billing/plans/price-quote.ts";
import { latestAttemptSql } from "#api/billing/subscriptions/list-subscriptions.ts";
import { isPastDueSql, isRunningSql, paidUntilSql } from "#api/billing/subscriptions/subscription.entity.ts";

export const UserSummary = createType(
  "UserSummary",
  "admin",
  "What staff need to know about a user before anything else.",
  {
    plan: fieldOrNull.text("The plan and interval of the running subscription, or null."),
    planEndsAt: fieldOrNull.moment(
      "The date a cancelled subscription ends, in UTC. Null if the subscription renews or there is none.",
    ),
    pastDueSince: fieldOrNull.moment("The date the unpaid renewal was due, in UTC. Null if it is paid."),
    pastDueCents: fieldOrNull.integer(
      "The unpaid amount in cents including GST. Null if nothing is due or the amount is unknown.",
    ),
    pastDueReason: fieldOrNull.text("The bank's reason in words, if a payment is due."),
    nextRetryAt: fieldOrNull.moment("The time of the next automatic attempt to charge the unpaid amount, in UTC."),
    lastSignInAt: fieldOrNull.moment("The last use of a session of the user, in UTC."),
    lastDeviceAt: fieldOrNull.moment("The last licence check by a device of the user, in UTC."),
    signInBlockedUntil: fieldOrNull.moment(
      "The end of the block after too many wrong passwords, in UTC. Null if the user can sign in.",
    ),
    addressWarning: fieldOrNull.text(
      "A warning that the email address mixes scripts or looks like another account's. Null for most.",
    ),
  },
);
export type UserSummary = InstanceType<typeof UserSummary>;

/**
 * Returns the plan, debt, last activity and sign-in block of a user.
 * @throws AppError NOT_FOUND
 */
export async function getUserSummary(context: Context, id: string): Promise<UserSummary> {
  const user = await getUser(context, id);
  type Name = "planPrice" | "endsAt" | "pastDueSince" | "reason" | "nextRetryAt" | "lastSignInAt" | "lastDeviceAt";
  type Row = Record<Name, string | null> & Record<"amountCents" | "triedCents" | "gstBasisPoints", number | null>;
  const { rows } = await context.pool.query<Row>({
    name: "user-summary",
    text: `select s.plan_price as "planPrice", s.amount_cents as "amountCents", s.gst_basis_points as "gstBasisPoints",
                  case when s.is_cancelled_at_period_end then s.current_period_ends_at end as "endsAt",
                  case when ${isPastDueSql("$2::timestamptz")} then ${paidUntilSql} end as "pastDueSince",
                  attempt.amount_cents as "triedCents", attempt.reason, attempt.next_retry_at as "nextRetryAt",
                  (select max(o.last_used_at) from sessions o where o.user_id = $1 and o.viewer_id is null)
                    as "lastSignInAt",
                  (select max(d.last_seen_at) from licences l join devices d on d.licence_id = l.id where l.user_id = $1)
                    as "lastDeviceAt"
             from (select 1) one left join subscriptions s on s.user_id = $1 and ${isRunningSql}
             ${latestAttemptSql}`,
    values: [user.id, context.clock.now()],
  });
  const row = rows[0] as Row;
  const planPrice = row.planPrice ? await findPlanPrice(context.em, row.planPrice) : null;
  const amountCents = row.amountCents ?? planPrice?.audCents ?? null;
  const refusal = row.pastDueSince !== null && row.reason !== null ? row : null;
  const expectedCents =
    row.pastDueSince !== null && amountCents !== null ? addGst(amountCents, row.gstBasisPoints ?? 0) : null;
  return {
    plan: planPrice ? formatPlanPrice(planPrice) : row.planPrice,
    planEndsAt: toDate(row.endsAt),
    pastDueSince: toDate(row.pastDueSince),
    pastDueCents: refusal ? refusal.triedCents : expectedCents,
    pastDueReason: refusal?.reason ?? null,
    nextRetryAt: toDate(refusal?.nextRetryAt ?? null),
    lastSignInAt: toDate(row.lastSignInAt),
    lastDeviceAt: toDate(row.lastDeviceAt),
    // Wrong passwords for the address of a registration without sign-in are those of the account that has the address.
    signInBlockedUntil: user.signInEmail === null ? null : await findSignInBlock(context, user.signInEmail),
    addressWarning: await findAddressWarning(context, user),
  };
}

/** Returns a warning about an address that staff may take for another one; null for others. */
async function findAddressWarning({ pool }: Context, { id, email }: User): Promise<string | null> {
  const { rows } = await pool.query<{ email: string }>({
    name: "look-alike-address",
    text: `select email from users
            where ${toSkeletonSql("sign_in_email")} = ${toSkeletonSql("lower($1::text)")} and id <> $2
              and sign_in_email <> lower($1::text)
            order by registered_at limit 1`,
    values: [email, id],
  });
  if (rows[0]) return `Address looks like ${rows[0].email}`;
  return mixesScripts(email) ? "Address mixes scripts" : null;
}

const toDate = (text: string | null) => (text === null ? null : new Date(text));
