import { ResultCode, type ResultCodeName } from "#schema/catalogue.ts";
import type { AddinValues } from "#schema/rules/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { limitedAddress } from "#api/platform/rate-limits.ts";
import { isWellFormedLicenceCode, normaliseLicenceCode } from "./licence-code.ts";
import type { LicenceEventKind } from "./licence-event.entity.ts";
import type { LicenceFacts } from "./licence-standing.ts";
import { noteLicenceEvent } from "./note-licence-event.ts";

/** The answer to a machine's question; a refusal is an answer too. */
export interface LicenceAnswer {
  readonly code: ResultCodeName;
  /** Another sentence than the code's own. */
  readonly message?: string;
  /** Present when the answer is about the use of a licence: with VALID, the machine may run. */
  readonly licence?: LicenceFacts;
  /** Present when the machine is known to be this device. */
  readonly deviceId?: string;
  readonly machineToken?: string;
  /** Present for a machine that was activated without typing it (decision 0024). */
  readonly licenceCode?: string;
  /** The devices of the licence, for a machine that may choose one to replace. */
  readonly machines?: readonly LicenceMachine[];
  readonly deactivationsRemaining?: number;
  /** The seat that the machine has now. */
  readonly lease?: { readonly id: string; readonly expiresAt: Date; readonly inUse: number };
  /** Until when the machine holds a seat of the licence, borrowed ones included. */
  readonly leasedUntil?: Date;
  /** Conversions that the licence still allows. */
  readonly usageRemaining?: number;
  /** Of a sandbox code: about no licence at all (decision 0054). */
  readonly sandbox?: { readonly isClockSkewed: boolean };
}

/** A device of the licence, as the add-in lists it. */
export interface LicenceMachine {
  readonly deviceId: string;
  readonly machineName: string;
  readonly lastSeenAt: Date;
  readonly activatedAt: Date;
}

const namesByCode = new Map(Object.entries(ResultCode).map(([name, code]) => [code as number, name as ResultCodeName]));

/** Name of a result code. @throws Error for a number that is none. */
export function nameOfResultCode(code: number): ResultCodeName {
  const name = namesByCode.get(code);
  if (!name) throw new Error(`${code} is no result code.`);
  return name;
}

/**
 * A typed licence code as it is stored.
 * @throws AppError BAD_USER_INPUT when it cannot be one: a typing mistake is told apart from an unknown code.
 */
export function readLicenceCode(typed: string): string {
  const code = normaliseLicenceCode(typed);
  if (!isWellFormedLicenceCode(code))
    throw badInput({ licenceCode: ["This is not a licence code. Please check it for typing mistakes."] });
  return code;
}

/** Whether a licence has the code. Asked before anything is counted under it: guesses get no counter each. */
export async function isIssued({ pool }: Pick<Context, "pool">, licenceCode: string): Promise<boolean> {
  const statement = { name: "is-code-issued", text: "select from licences where licence_code = $1" };
  return (await pool.query({ ...statement, values: [licenceCode] })).rowCount === 1;
}

/**
 * The answer to a code that nobody has. Guessing is slowed down by address, and over all addresses together, which
 * hurts nobody: typing mistakes never get here.
 * @throws AppError RATE_LIMITED after 30 unknown codes a minute from one address, or 1,000 from all.
 */
export async function refuseUnknownCode(
  context: Context,
  kind: LicenceEventKind,
  asked: AddinValues,
): Promise<LicenceAnswer> {
  await context.rateLimits.take("unknownLicenceCode", limitedAddress(context.origin.ip));
  await context.rateLimits.take("unknownLicenceCodeAnywhere", "");
  const em = context.em.fork();
  noteLicenceEvent(context, em, { kind, resultCode: ResultCode.LICENCE_NOT_FOUND, licenceId: null, asked });
  await em.flush();
  return { code: "LICENCE_NOT_FOUND" };
}

/** 401: this token was never given to a device. */
export function unknownToken(): AppError {
  return new AppError("UNAUTHENTICATED", {
    message: "This machine token is not known. Please activate the device again.",
  });
}
