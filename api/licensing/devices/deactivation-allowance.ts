import { DAY, HOUR } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, lockRow, query } from "#api/platform/database/database.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";
import { getUser, User } from "#api/people/users/user.entity.ts";
import { createType, field, fieldOrNull } from "#api/platform/graphql/declare.ts";
import { aboutUser, recordChange } from "#api/audit/change-log/record-change.ts";

export const YearlyAllowance = createType(
  "DeactivationAllowance",
  "signedIn",
  "Number of devices that a customer can deactivate within a year.",
  {
    limit: field.integer("Number of deactivations allowed within a year. 0 means none."),
    used: field.integer(
      "Number of deactivations by the customer since the last reset or in the last year, whichever is shorter.",
    ),
    remaining: field.integer("Number of deactivations that the customer has left."),
    nextFreeAt: fieldOrNull.moment(
      "The date another deactivation becomes available, in UTC. Null if no deactivation counts at the moment.",
    ),
    resetAt: fieldOrNull.moment("The date staff last reset the count, in UTC."),
  },
);
export type YearlyAllowance = InstanceType<typeof YearlyAllowance>;

/** Period in which deactivations count against the limit, in milliseconds (docs/domain.md#deactivations). */
const WINDOW_MS = 365 * DAY;

/**
 * Returns SQL that is true if the deactivation `d` counts against the limit of the user `u`. Only the customer's own do.
 * @param now SQL expression of the current time
 */
export const isCountedSql = (now: string) =>
  `d.user_id = u.id and d."by" = 'customer'
    and d.at > greatest(u.deactivations_reset_at, ${now} - interval '${WINDOW_MS / HOUR} hours')`;

/** A user's deactivation allowance, read while the user's row is locked. */
export interface DeactivationAllowance extends YearlyAllowance {
  readonly user: User;
}

interface AllowanceRow {
  readonly userId: string;
  readonly limit: number;
  readonly used: number;
  readonly resetAtMs: number | null;
  /** Time of the deactivation that has to stop counting before another one is allowed, in milliseconds since 1970. */
  readonly nextLapsingAtMs: number | null;
}

// If the limit was lowered below the current count, several deactivations
// must expire before another one is allowed.
const allowances = `
  select u.id as "userId", u.annual_deactivation_limit as "limit", count(d.id)::int as "used",
         (extract(epoch from u.deactivations_reset_at) * 1000)::float8 as "resetAtMs",
         (extract(epoch from (array_agg(d.at order by d.at))[greatest(1, count(d.id) - u.annual_deactivation_limit + 1)])
           * 1000)::float8 as "nextLapsingAtMs"
    from users u
    left join deactivations d on ${isCountedSql("$2::timestamptz")}
   where u.id = any($1::uuid[])
   group by u.id`;

/**
 * Locks the user's row and counts the user's deactivations since the last reset or in the last year, whichever is
 * shorter. A limit of 0 allows none. Requires a transaction. Callers that also lock a licence must do so first, or two
 * transactions could deadlock.
 */
export async function lockDeactivationAllowance(
  context: Context,
  em: EntityManager,
  userId: string,
): Promise<DeactivationAllowance> {
  const user = await lockRow(em, User, userId, { refresh: true });
  const [allowance] = await readAllowances(context, em, [user.id]);
  if (!allowance) throw new Error("The locked user no longer exists.");
  return Object.assign(allowance, { user });
}

/** Loads how many devices a user can still deactivate. */
export const loadDeactivationAllowance = createLoader(
  async (context: Context, userIds: readonly string[]): Promise<(YearlyAllowance | Error)[]> => {
    const allowances = await readAllowances(context, context.em, userIds);
    return userIds.map(
      (id) => allowances.find(({ userId }) => userId === id) ?? new Error("The owner of the licence does not exist."),
    );
  },
);

async function readAllowances(
  context: Context,
  em: EntityManager,
  userIds: readonly string[],
): Promise<(YearlyAllowance & { userId: string })[]> {
  const rows = await query<AllowanceRow>(em, allowances, [[...new Set(userIds)], context.clock.now()]);
  return rows.map(({ userId, limit, used, resetAtMs, nextLapsingAtMs }) => ({
    userId,
    limit,
    used,
    remaining: Math.max(0, limit - used),
    nextFreeAt: nextLapsingAtMs === null ? null : new Date(nextLapsingAtMs + WINDOW_MS),
    resetAt: resetAtMs === null ? null : new Date(resetAtMs),
  }));
}

/**
 * Resets a customer's deactivation counter, so past deactivations no longer count (docs/domain.md#deactivations).
 * @returns the customer's new allowance.
 * @throws AppError NOT_FOUND for an unknown or malformed id.
 */
export async function resetDeactivationCounter(context: Context, userId: string): Promise<YearlyAllowance> {
  const { id } = await getUser(context, userId);
  return inTransaction(context, async (em) => {
    const { user, used, limit } = await lockDeactivationAllowance(context, em, id);
    const resetAt = context.clock.now();
    const toAuditValues = (at: Date | null, count: number) => ({
      deactivationsResetAt: at?.toISOString() ?? null,
      deactivationsUsed: count,
    });
    await recordChange(context, em, {
      action: "reset-deactivations",
      ...aboutUser(user),
      before: toAuditValues(user.deactivationsResetAt, used),
      after: toAuditValues(resetAt, 0),
    });
    user.deactivationsResetAt = resetAt;
    return { limit, used: 0, remaining: limit, nextFreeAt: null, resetAt };
  });
}
