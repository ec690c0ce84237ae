import type { Pool } from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { AppError } from "./errors.ts";

/** Points in a window of seconds (QUALITY §3). */
const limits = {
  signInByAddressAndEmail: { points: 5, seconds: 60 },
  signInByEmailPerMinute: { points: 5, seconds: 60 },
  signInByEmailPerHour: { points: 20, seconds: 3_600 },
  refresh: { points: 30, seconds: 60 },
  register: { points: 5, seconds: 3_600 },
  resetRequestByAddress: { points: 5, seconds: 3_600 },
  resetRequestByEmail: { points: 5, seconds: 3_600 },
  existingPasswordPerMinute: { points: 5, seconds: 60 },
  existingPasswordPerHour: { points: 20, seconds: 3_600 },
  mailToken: { points: 10, seconds: 600 },
  resendConfirmation: { points: 3, seconds: 3_600 },
  changeEmail: { points: 5, seconds: 3_600 },
  myData: { points: 10, seconds: 3_600 },
  deleteAccount: { points: 5, seconds: 900 },
  contactForm: { points: 5, seconds: 3_600 },
  addressSuggestions: { points: 90, seconds: 60 },
  promoCode: { points: 10, seconds: 3_600 },
  promoCodeByAddress: { points: 30, seconds: 3_600 },
  taxInvoiceDownload: { points: 60, seconds: 600 },
  trial: { points: 3, seconds: 86_400 },
  activation: { points: 60, seconds: 30 },
  unknownLicenceCode: { points: 30, seconds: 60 },
  graphql: { points: 600, seconds: 60 },
} as const;

/** What is limited. */
export type RateLimitName = keyof typeof limits;

/** Limits shared by all processes through PostgreSQL; lifted as a whole by `RATE_LIMITS=off`. */
export interface RateLimits {
  /**
   * Takes one point of `name` for `key`.
   * @throws AppError RATE_LIMITED with the seconds to wait.
   */
  take(name: RateLimitName, key: string): Promise<void>;
  /** Gives the points back, as after a right password. */
  clear(name: RateLimitName, key: string): Promise<void>;
}

/** Rate limits in the table `rate_limits`; `enabled: false` never refuses. */
export function createRateLimits(pool: Pool, enabled: boolean): RateLimits {
  if (!enabled) return { take: async () => {}, clear: async () => {} };
  const limiters = new Map(
    Object.entries(limits).map(([name, { points, seconds }]) => [
      name,
      new RateLimiterPostgres({
        storeClient: pool,
        tableName: "rate_limits",
        tableCreated: true,
        keyPrefix: name,
        points,
        duration: seconds,
      }),
    ]),
  );
  return {
    async take(name, key) {
      try {
        await limiters.get(name)?.consume(key);
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        throw new AppError("RATE_LIMITED", { retryAfterSeconds: Math.max(1, Math.ceil(refused.msBeforeNext / 1_000)) });
      }
    },
    async clear(name, key) {
      await limiters.get(name)?.delete(key);
    },
  };
}

/** The part of an address that one person controls: IPv4 whole, IPv6 its /64 (THREATS §4). */
export function limitedAddress(ip: string): string {
  if (!ip.includes(":")) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) return mapped[1];
  const [head = "", tail] = ip.split("::");
  const groups = head.split(":").filter(Boolean);
  const filled = tail === undefined ? groups : [...groups, ...Array(8).fill("0")];
  return `${filled.slice(0, 4).join(":")}::/64`;
}
