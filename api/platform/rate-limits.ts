import type { Pool } from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { type Clock, readMachineClock, realNow } from "./clock.ts";
import { AppError } from "./errors.ts";
import { hashSecret } from "./secrets.ts";

/** Points in a window of seconds. */
interface Limit {
  readonly points: number;
  readonly seconds: number;
  /**
   * A process remembers what it refused, so that the rest of a flood costs the database nothing. Only where points are
   * never given back.
   */
  readonly remembersRefusals?: true;
}

/** What is allowed (docs/domain.md#rate-limits). */
export const limits = {
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
  /** Emails about registrations to one address, whoever asks for them. */
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
  /** Each adds a secret or an address, and a mail. */
  webhookChange: { points: 60, seconds: 3_600 },
  webhookSend: { points: 60, seconds: 600 },
  graphql: { points: 600, seconds: 60 },
  /** Calls with the personal access tokens of one person, at all doors. */
  personalAccessToken: { points: 600, seconds: 60 },
} as const satisfies Record<string, Limit>;

/** What is limited. */
export type RateLimitName = keyof typeof limits;

/** A point that was taken, with what is needed to return it. */
export interface TakenPoint {
  readonly name: RateLimitName;
  readonly key: string;
  /** Latest moment, in milliseconds since 1970, at which the window of the point can end. */
  readonly windowEndsBy: number;
}

/** Limits shared by all processes through PostgreSQL; lifted as a whole by `RATE_LIMITS=off`. */
export interface RateLimits {
  /**
   * Takes points of `name` for `key`, one unless `points` says more. If fewer are left, a request for several takes none.
   * @throws AppError RATE_LIMITED with the seconds to wait.
   */
  take(name: RateLimitName, key: string, points?: number): Promise<TakenPoint>;
  /** Takes one point of `name` for `key`, if there is one left; answers whether there was. */
  tryTake(name: RateLimitName, key: string): Promise<boolean>;
  /**
   * Returns a point to the window it was taken from; does nothing once that window has ended. Refused attempts never
   * count against the points that are returned, so the limit holds however many attempts run in parallel.
   */
  giveBack(point: TakenPoint): Promise<void>;
  /** Gives the points back, as after a right password. */
  clear(name: RateLimitName, key: string): Promise<void>;
}

/** Rate limits in the table `rate_limits`; `enabled: false` never refuses. */
export function createRateLimits(pool: Pool, clock: Clock, enabled: boolean): RateLimits {
  if (!enabled)
    return {
      take: async (name, key) => ({ name, key, windowEndsBy: 0 }),
      tryTake: async () => true,
      giveBack: async () => {},
      clear: async () => {},
    };
  const limiters = new Map(
    Object.entries<Limit>(limits).map(([name, limit]) => [
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
  /** @returns null, or how long to wait. */
  const refusal = async (name: RateLimitName, key: string, points = 1): Promise<RateLimiterRes | null> => {
    try {
      await limiters.get(name)?.consume(stored(key), points);
      return null;
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    }
  };
  return {
    async take(name, key, points = 1) {
      const refused = await refusal(name, key, points);
      // A window that begins later ends later than this.
      if (!refused) return { name, key, windowEndsBy: realNow(clock).getTime() + limits[name].seconds * 1_000 };
      // Smaller requests still fit into what was left.
      if (points > 1) await limiters.get(name)?.reward(stored(key), points);
      throw new AppError("RATE_LIMITED", { retryAfterSeconds: Math.max(1, Math.ceil(refused.msBeforeNext / 1_000)) });
    },
    tryTake: async (name, key) => (await refusal(name, key)) === null,
    async giveBack({ name, key, windowEndsBy }) {
      // The library's `reward` would open a new window with a bonus, and would count refused attempts as taken points.
      await pool.query(
        `update rate_limits set points = least(points, $2) - 1
          where key = $1 and points > 0 and expire > $3 and expire <= $4`,
        [limiters.get(name)?.getKey(stored(key)), limits[name].points, realNow(clock).getTime(), windowEndsBy],
      );
    },
    async clear(name, key) {
      await limiters.get(name)?.delete(stored(key));
    },
  };
}

/** Places of times among the values of the statements that rate-limiter-flexible sends, by the end of their names. */
const timesInValues: Readonly<Record<string, readonly number[]>> = {
  "rlflx-upsert": [2, 3],
  "rlflx-upsert-force": [2, 3],
  "rlflx-get": [1],
  "rlflx-clear-expired": [0],
};

/**
 * Wraps the pool so that the table contains the database's times: rate-limiter-flexible reads the machine's clock, and one
 * process with a wrong clock would lift everybody's limits or lock an account for as long as the clock is wrong.
 */
function inDatabaseTime(pool: Pool, clock: Clock) {
  return {
    async query(statement: { name?: string; text: string; values: unknown[] }) {
      const aheadMs = readMachineClock() - realNow(clock).getTime();
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

/** A key as its table holds it: an email of 254 characters would not fit, and nobody's address needs to stand there. */
const stored = hashSecret;

/** The part of an address that one person controls: IPv4 whole, IPv6 its /64. */
export function limitedAddress(ip: string): string {
  if (!ip.includes(":")) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) return mapped[1];
  const [head = "", tail] = ip.split("::");
  const groups = head.split(":").filter(Boolean);
  const filled = tail === undefined ? groups : [...groups, ...Array(8).fill("0")];
  return `${filled.slice(0, 4).join(":")}::/64`;
}
