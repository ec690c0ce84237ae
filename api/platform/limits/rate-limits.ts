import type { Pool } from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { type Clock, readMachineClock, getRealNow } from "#api/platform/clock.ts";
import { AppError } from "#api/platform/errors.ts";
import { toNetwork } from "#api/platform/http/networks.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";

/** Number of points available in a time window. */
interface Limit {
  readonly points: number;
  readonly seconds: number;
  /**
   * True if a process caches rejected keys, so that a flood of requests doesn't reach the database. Only for limits
   * whose points are never returned.
   */
  readonly remembersRefusals?: true;
}

/** All rate limits (docs/domain.md#rate-limits). */
export const rateLimitPoints = {
  /** Wrong passwords from one IP address, for all accounts together. */
  passwordByAddress: { points: 60, seconds: 60 },
  /** Wrong passwords from everywhere. Checking more would take the processor time of other requests. */
  passwordInTotal: { points: 200, seconds: 10 },
  signInByAddressAndEmail: { points: 5, seconds: 60 },
  signInByAddressAndEmailPerHour: { points: 20, seconds: 3_600 },
  signInByKnownDevicePerMinute: { points: 5, seconds: 60 },
  signInByKnownDevicePerHour: { points: 20, seconds: 3_600 },
  signInByEmailPerMinute: { points: 5, seconds: 60 },
  signInByEmailPerHour: { points: 20, seconds: 3_600 },
  refresh: { points: 30, seconds: 60 },
  register: { points: 5, seconds: 3_600 },
  resetRequestByAddress: { points: 5, seconds: 3_600 },
  resetMailByEmail: { points: 5, seconds: 86_400 },
  twoStepGuess: { points: 10, seconds: 3_600 },
  existingPasswordPerMinute: { points: 5, seconds: 60 },
  existingPasswordPerHour: { points: 20, seconds: 3_600 },
  mailToken: { points: 10, seconds: 600 },
  /** Registration emails to one address, no matter who requests them. */
  accountMailByEmail: { points: 3, seconds: 3_600 },
  resendConfirmation: { points: 3, seconds: 3_600 },
  changeEmail: { points: 5, seconds: 3_600 },
  myData: { points: 10, seconds: 3_600 },
  deleteAccount: { points: 5, seconds: 900 },
  contactForm: { points: 5, seconds: 3_600 },
  addressSuggestions: { points: 90, seconds: 60 },
  promoCode: { points: 10, seconds: 3_600 },
  promoCodeByAddress: { points: 30, seconds: 3_600 },
  report: { points: 60, seconds: 600 },
  reportPreview: { points: 300, seconds: 600 },
  taxInvoiceDownload: { points: 60, seconds: 600 },
  softwareUpload: { points: 30, seconds: 600 },
  subscribe: { points: 5, seconds: 3_600 },
  updateCardEmail: { points: 3, seconds: 3_600 },
  paymentDetails: { points: 5, seconds: 3_600 },
  trial: { points: 3, seconds: 86_400 },
  activation: { points: 60, seconds: 30 },
  unknownLicenceCode: { points: 30, seconds: 60, remembersRefusals: true },
  unknownLicenceCodeAnywhere: { points: 1_000, seconds: 60, remembersRefusals: true },
  sandbox: { points: 600, seconds: 60, remembersRefusals: true },
  deviceAuthorization: { points: 5, seconds: 60 },
  userCodeGuess: { points: 10, seconds: 600 },
  moveCode: { points: 3, seconds: 3_600 },
  moveCodeByLicence: { points: 12, seconds: 86_400 },
  /** Each change creates a secret or changes a URL, and sends an email. */
  webhookChange: { points: 60, seconds: 3_600 },
  webhookSend: { points: 60, seconds: 600 },
  graphql: { points: 600, seconds: 60 },
  /** All users and visitors of one IP address, so that one place with many accounts can't use all of the processor time. */
  graphqlByAddress: { points: 6_000, seconds: 60 },
  /** Calls with all personal access tokens of one user, to all APIs. */
  personalAccessToken: { points: 600, seconds: 60 },
} as const satisfies Record<string, Limit>;

export type RateLimitName = keyof typeof rateLimitPoints;

/** A point that was taken and can be returned. */
export interface TakenPoint {
  readonly name: RateLimitName;
  readonly key: string;
  /** Latest time at which the point's window can end, in milliseconds since 1970. */
  readonly windowEndsBy: number;
}

/** Rate limits shared by all processes through PostgreSQL. `RATE_LIMITS=off` disables all of them. */
export interface RateLimits {
  /**
   * Takes points (by default one) of the limit `name` for `key`. A request for several points takes none if fewer are left.
   * @throws AppError RATE_LIMITED with the seconds to wait
   */
  take(name: RateLimitName, key: string, points?: number): Promise<TakenPoint>;
  /** Takes one point of the limit `name` for `key` if one is left, and returns whether it did. */
  tryTake(name: RateLimitName, key: string): Promise<boolean>;
  /**
   * Returns points to the windows they were taken from, except those whose window has ended. Rejected attempts don't
   * count as taken points, so the limits stay exact with parallel attempts.
   */
  returnPoints(points: readonly TakenPoint[]): Promise<void>;
  /** Returns when the window of `key` ends if it has no points left, without taking one; null if it has. */
  findWindowEnd(name: RateLimitName, key: string): Promise<Date | null>;
  /** Returns all points of several limits, for example after a correct password. */
  clear(limits: readonly (readonly [RateLimitName, string])[]): Promise<void>;
}

/** Creates rate limits stored in the table `rate_limits`. With `enabled: false` nothing is limited. */
export function createRateLimits(pool: Pool, clock: Clock, enabled: boolean): RateLimits {
  if (!enabled)
    return {
      take: async (name, key) => ({ name, key, windowEndsBy: 0 }),
      tryTake: async () => true,
      returnPoints: async () => {},
      findWindowEnd: async () => null,
      clear: async () => {},
    };
  const limiters = new Map(
    Object.entries<Limit>(rateLimitPoints).map(([name, limit]) => [
      name,
      new RateLimiterPostgres({
        storeClient: inDatabaseTime(pool, clock),
        storeType: "pool",
        tableName: "rate_limits",
        tableCreated: true,
        keyPrefix: name,
        points: limit.points,
        duration: limit.seconds,
        ...(limit.remembersRefusals ? { inMemoryBlockOnConsumed: limit.points } : {}),
      }),
    ]),
  );
  /** Takes points and returns null, or returns how long to wait if there aren't enough. */
  const consume = async (name: RateLimitName, key: string, points = 1): Promise<RateLimiterRes | null> => {
    try {
      await limiters.get(name)?.consume(toStoredKey(key), points);
      return null;
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    }
  };
  return {
    async take(name, key, points = 1) {
      const refused = await consume(name, key, points);
      // Any window that starts later than this request ends after this time.
      if (!refused)
        return { name, key, windowEndsBy: getRealNow(clock).getTime() + rateLimitPoints[name].seconds * 1_000 };
      // Return the points, because a smaller request may still be within the limit.
      if (points > 1) await limiters.get(name)?.reward(toStoredKey(key), points);
      throw new AppError("RATE_LIMITED", { retryAfterSeconds: Math.max(1, Math.ceil(refused.msBeforeNext / 1_000)) });
    },
    tryTake: async (name, key) => (await consume(name, key)) === null,
    async returnPoints(points) {
      // The library's `reward` could open a new window with extra points, and counts rejected attempts as taken points.
      // Locking in the order of the keys prevents deadlocks between requests that return some of the same points.
      await pool.query(
        `with returned as (
           select * from jsonb_to_recordset($1::jsonb) as returned (key text, most int, window_ends_by bigint)
         ), locked as (
           select key, expire from rate_limits where key in (select key from returned) order by key for update
         ), counted as (
           select key, most, count(*)::int as count from returned join locked using (key)
            where expire > $2 and expire <= window_ends_by group by key, most
         )
         update rate_limits as kept set points = greatest(0, least(kept.points, most) - count)
           from counted where kept.key = counted.key`,
        [
          JSON.stringify(
            points.map(({ name, key, windowEndsBy }) => ({
              key: toRowKey(name, key),
              most: rateLimitPoints[name].points,
              window_ends_by: windowEndsBy,
            })),
          ),
          getRealNow(clock).getTime(),
        ],
      );
    },
    async findWindowEnd(name, key) {
      const window = await limiters.get(name)?.get(toStoredKey(key));
      if (!window || window.consumedPoints < rateLimitPoints[name].points || window.msBeforeNext <= 0) return null;
      return new Date(getRealNow(clock).getTime() + window.msBeforeNext);
    },
    async clear(limits) {
      await pool.query(
        `delete from rate_limits where key in
           (select key from rate_limits where key = any($1) order by key for update)`,
        [limits.map(([name, key]) => toRowKey(name, key))],
      );
    },
  };
}

/** Returns the key of a limit's row, as rate-limiter-flexible builds it. */
const toRowKey = (name: RateLimitName, key: string): string => `${name}:${toStoredKey(key)}`;

/** Positions of times among the values of rate-limiter-flexible's statements, by the suffix of the statement's name. */
const timesInValues: Readonly<Record<string, readonly number[]>> = {
  "rlflx-upsert": [2, 3],
  "rlflx-upsert-force": [2, 3],
  "rlflx-get": [1],
  "rlflx-clear-expired": [0],
};

/**
 * Wraps the pool so that the table contains times of the database's clock. rate-limiter-flexible uses the machine's
 * clock, so a process with a wrong clock would otherwise disable the limits for everyone or lock accounts.
 */
function inDatabaseTime(pool: Pool, clock: Clock) {
  return {
    async query(statement: { name?: string; text: string; values: unknown[] }) {
      const aheadMs = readMachineClock() - getRealNow(clock).getTime();
      const places = timesInValues[statement.name?.split(":").at(-1) ?? ""] ?? [];
      const values = statement.values.map((value, place) =>
        typeof value === "number" && places.includes(place) ? value - aheadMs : value,
      );
      const result = await pool.query<{ expire?: string | null }>({ ...statement, values });
      for (const row of result.rows) if (row.expire) row.expire = String(Number(row.expire) + aheadMs);
      return result;
    },
  };
}

/** Hashes a key for storage. An email address of 254 characters wouldn't fit, and the table doesn't need personal data. */
const toStoredKey = hashSecret;

/** Returns the part of an IP address that one customer controls: the whole IPv4 address, or the /64 of IPv6. */
export function toRateLimitAddress(ip: string): string {
  return toNetwork(ip, 64);
}
