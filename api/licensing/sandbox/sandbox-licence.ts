import { LicenceActivationType, LicenceType } from "#schema/catalogue.ts";
import { ProductLevel } from "#schema/product-level.ts";
import { type SandboxCode, sandboxCodes, type SandboxLicence, sandboxPrefix } from "#schema/sandbox-codes.ts";
import { after, DAY } from "#api/platform/clock.ts";
import type { LicenceFacts } from "#api/licensing/licences/licence-standing.ts";
import { sandboxId } from "./sandbox-marks.ts";
import { normaliseLicenceCode } from "#api/licensing/licences/licence-code.ts";

const byCode = new Map(sandboxCodes.map((code) => [code.licenceCode, code]));

/** Typed, not written: what is dropped stands before the first letter. */
const beginsWithS = /^[\W_]*s/i;

/**
 * Whether a licence code, as it came, is one of the sandbox's. Asked of every question, so that almost all codes cost no
 * more than a look at how they begin.
 */
export function isSandboxCode(typed: string): boolean {
  if (typed.startsWith(sandboxPrefix)) return true;
  return beginsWithS.test(typed) && normaliseLicenceCode(typed).startsWith(sandboxPrefix);
}

/** What a well-formed code of the sandbox answers; undefined for one that is not in its table. */
export function findSandboxCode(licenceCode: string): SandboxCode | undefined {
  return byCode.get(licenceCode);
}

/** Numbers of the lists in `schema/catalogue.ts`. */
const CONCURRENT = 3;
const CORPORATE_DARK_CONCURRENT = 16;

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
    licenceType: CONCURRENT,
    licenceActivationType: LicenceActivationType.Concurrent,
    leaseHours: 24,
    seats: 5,
  },
  floating: {
    ...single,
    licenceType: CONCURRENT,
    licenceActivationType: LicenceActivationType.FloatingWithPeriod,
    leaseHours: 8,
    seats: 5,
  },
};

/** The licence that a sandbox code stands for at `now`; there is none, and it never ends while it is asked for. */
export function sandboxLicence(code: SandboxCode, now: Date): LicenceFacts {
  return {
    ...terms[code.licence],
    licenceId: sandboxId("licence", code.licenceCode),
    heartbeatMinutes: 15,
    expiresAtMs: endOf(code, now).getTime(),
    isPaymentOverdue: code.warnings.includes("PAYMENT_OVERDUE"),
    isUpdateAvailable: code.warnings.includes("UPDATE_AVAILABLE"),
  };
}

function endOf({ result, licence, warnings }: SandboxCode, now: Date): Date {
  if (result === "LICENCE_EXPIRED") return after(now, -DAY);
  if (warnings.includes("EXPIRING_SOON")) return after(now, 3 * DAY);
  if (licence === "perpetual") return new Date("2099-12-31T00:00:00.000Z");
  return after(now, (licence === "trial" ? 10 : 300) * DAY);
}
