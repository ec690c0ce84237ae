import { LicenceActivationType, LicenceType } from "#schema/licence.ts";
import { ProductLevel, productLevels } from "#schema/product-level.ts";
import { toValue } from "#schema/closed-list.ts";
import { type SandboxCode, type SandboxLicence, sandboxPrefix } from "#schema/sandbox-codes.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { LicenceFacts } from "#api/licensing/licences/licence-checks.ts";
import { deriveSandboxId } from "./sandbox-tokens.ts";
import { normaliseLicenceCode } from "#api/licensing/licences/licence-code.ts";

/** Allows for characters that users may type before the first letter and that are ignored. */
const startsWithS = /^[\W_]*[sｓ]/i;

/**
 * Returns whether a typed licence code is a sandbox code. Every request calls this, so it rejects almost all codes by
 * their first letter.
 */
export function isSandboxCode(typed: string): boolean {
  if (typed.startsWith(sandboxPrefix)) return true;
  return startsWithS.test(typed) && normaliseLicenceCode(typed).startsWith(sandboxPrefix);
}

const CORPORATE_DARK_CONCURRENT = toValue(productLevels, "CORPORATE_DARK_CONCURRENT");

type Terms = Pick<LicenceFacts, "productLevel" | "licenceType" | "licenceActivationType" | "leaseHours" | "seats">;

const single = {
  productLevel: ProductLevel.Professional,
  licenceType: LicenceType.SingleUser,
  licenceActivationType: LicenceActivationType.Standard,
  leaseHours: 0,
  seats: 1,
};

const terms: Record<SandboxLicence, Terms> = {
  paid: single,
  standard: { ...single, productLevel: ProductLevel.Standard },
  trial: { ...single, productLevel: ProductLevel.Trial },
  perpetual: single,
  concurrent: {
    productLevel: CORPORATE_DARK_CONCURRENT,
    licenceType: LicenceType.Concurrent,
    licenceActivationType: LicenceActivationType.Concurrent,
    leaseHours: 24,
    seats: 5,
  },
  floating: {
    ...single,
    licenceType: LicenceType.Concurrent,
    licenceActivationType: LicenceActivationType.FloatingWithPeriod,
    leaseHours: 8,
    seats: 5,
  },
};

/**
 * Returns the fictitious licence behind a sandbox code at `now`. Its expiry date moves with `now`, so an unexpired
 * licence never expires.
 */
export function buildSandboxLicence(code: SandboxCode, now: Date): LicenceFacts {
  return {
    ...terms[code.licence],
    licenceId: deriveSandboxId("licence", code.licenceCode),
    heartbeatMinutes: 15,
    expiresAtMs: getExpiry(code, now).getTime(),
    isPaymentOverdue: code.warnings.includes("PAYMENT_OVERDUE"),
    isUpdateAvailable: code.warnings.includes("UPDATE_AVAILABLE"),
  };
}

function getExpiry({ result, licence, warnings }: SandboxCode, now: Date): Date {
  if (result === "LICENCE_EXPIRED") return addMilliseconds(now, -DAY);
  if (warnings.includes("EXPIRING_SOON")) return addMilliseconds(now, 3 * DAY);
  if (licence === "perpetual") return new Date("2099-12-31T00:00:00.000Z");
  return addMilliseconds(now, (licence === "trial" ? 10 : 300) * DAY);
}
