import type { Pool } from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { type Clock, readMachineClock, getRealNow } from "./clock.ts";
import { AppError } from "./errors.ts";
import { hashSecret } from "./secrets.ts";

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
  signInByAddressAndEmail: { points: 5, seconds: 60 },
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
   * Returns a point to the window it was taken from. Does nothing if that window has ended. Rejected attempts don't count
   * as taken points, so the limit stays exact with parallel attempts.
   */
  returnPoint(point: TakenPoint): Promise<void>;
  /** Returns when the window of `key` ends if it has no points left, without taking one; null if it has. */
  findWindowEnd(name: RateLimitName, key: string): Promise<Date | null>;
  /** Returns all points, for example after a correct password. */
  clear(name: RateLimitName, key: string): Promise<void>;
}

/** Creates rate limits stored in the table `rate_limits`. With `enabled: false` nothing is limited. */
export function createRateLimits(pool: Pool, clock: Clock, enabled: boolean): RateLimits {
  if (!enabled)
    return {
      take: async (name, key) => ({ name, key, windowEndsBy: 0 }),
      tryTake: async () => true,
      returnPoint: async () => {},
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
    async returnPoint({ name, key, windowEndsBy }) {
      // The library's `reward` could open a new window with extra points, and counts rejected attempts as taken points.
      await pool.query(
        `update rate_limits set points = least(points, $2) - 1
          where key = $1 and points > 0 and expire > $3 and expire <= $4`,
        [
          limiters.get(name)?.getKey(toStoredKey(key)),
          rateLimitPoints[name].points,
          getRealNow(clock).getTime(),
          windowEndsBy,
        ],
      );
    },
    async findWindowEnd(name, key) {
      const window = await limiters.get(name)?.get(toStoredKey(key));
      if (!window || window.consumedPoints < rateLimitPoints[name].points || window.msBeforeNext <= 0) return null;
      return new Date(getRealNow(clock).getTime() + window.msBeforeNext);
    },
    async clear(name, key) {
      await limiters.get(name)?.delete(toStoredKey(key));
    },
  };
}

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
  if (!ip.includes(":")) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) return mapped[1];
  const [head = "", tail] = ip.split("::");
  const groups = head.split(":").filter(Boolean);
  const filled = tail === undefined ? groups : [...groups, ...Array(8).fill("0")];
  return `${filled.slice(0, 4).join(":")}::/64`;
}
