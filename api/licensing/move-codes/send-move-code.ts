import { randomInt, randomUUID } from "node:crypto";
import type { AddinValues, MoveDevicesValues } from "#schema/protocol.ts";
import { formatMachineName } from "#schema/machine-name.ts";
import { addMilliseconds, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { query, type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { hashSecret, hashWithKey } from "#api/platform/keys/secrets.ts";
import { limitAttempts } from "#api/platform/limits/limit-attempts.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import {
  doneMessages,
  isIssuedCode,
  type LicenceAnswer,
  parseLicenceCode,
  refuseUnknownCode,
} from "#api/licensing/licences/licence-answer.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { moveCode } from "#api/messaging/emails/templates/move-code.tsx";
import { ResultCode } from "#schema/result-code.ts";
import { recordLicenceEvent } from "#api/licensing/licences/record-licence-event.ts";
import { removeSeparators } from "#api/licensing/licences/licence-code.ts";
import { type AppError, badInput } from "#api/platform/errors.ts";
import { User } from "#api/people/users/user.entity.ts";
import { getRefusal, type LockedLicence, lockLicence } from "#api/licensing/devices/activate-device.ts";
import { normaliseIdentityValue, requireIdentifyingFingerprint } from "#api/licensing/devices/component-values.ts";
import { loadDeactivationAllowance } from "#api/licensing/devices/deactivation-allowance.ts";
import { findActiveDevices } from "#api/licensing/devices/list-devices.ts";
import { MoveCode } from "./move-code.entity.ts";

/**
 * Masks an email address: `a•••@d•••.test`. Its owner recognises it, and others can't reconstruct it. The number of dots
 * is always three, so it doesn't reveal the length.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1);
  const ending = domain.slice(domain.lastIndexOf(".") + 1);
  return `${firstCharacter(email.slice(0, at))}•••@${firstCharacter(domain)}•••.${ending}`;
}

// Characters outside the basic multilingual plane take two UTF-16 units.
const firstCharacter = (text: string) => String.fromCodePoint(text.codePointAt(0) ?? 0x2022);

const UNCONFIRMED = "Please confirm the email address of the licence's account first. Then ask for the code again.";

const LIFETIME_MINUTES = 10;
const DIGITS = 6;

/** Returns the keyed hash that is stored in place of a code. It is bound to one licence and one machine. */
function hashMoveCode(
  context: Pick<Context, "keys">,
  bound: { licenceId: string; fingerprint: string },
  code: string,
): string {
  return hashWithKey(context.keys.current, "move codes", JSON.stringify([bound.licenceId, bound.fingerprint, code]));
}

/**
 * Emails the licence's owner a code. With it, a machine that couldn't be activated can list the licence's devices. A
 * newer code for the same machine replaces the older one. An address that was never confirmed gets no email.
 * @throws AppError BAD_USER_INPUT for a mistyped licence code and for a fingerprint that identifies nothing, which can't be
 * activated; RATE_LIMITED after 3 emails an hour about a licence from one IP address or 12 a day from all addresses, and
 * after many unknown codes. The limit per address prevents other holders of the licence code from using up the owner's
 * attempts.
 */
export async function sendMoveCode(context: Context, values: AddinValues): Promise<LicenceAnswer> {
  const { machine } = values;
  const fingerprint = normaliseIdentityValue(machine.fingerprint);
  const licenceCode = parseLicenceCode(values.licenceCode);
  if (!(await isIssuedCode(context, licenceCode))) return refuseUnknownCode(context, "move", values);
  const limits = [
    ["moveCode", `${toRateLimitAddress(context.origin.ip)} ${hashSecret(licenceCode)}`],
    ["moveCodeByLicence", hashSecret(licenceCode)],
  ] as const;
  // Count the attempt before the licence is locked, because the counter needs another database connection.
  return limitAttempts(context, limits, async (countTry) => {
    const answer = await handleMoveCall(context, values, async (em, { licenceId, userId }) => {
      requireIdentifyingFingerprint(machine);
      const user = await em.findOneOrFail(User, userId);
      // The address may be a stranger's.
      if (!user.emailConfirmedAt) return { code: "ACCOUNT_INACTIVE", message: UNCONFIRMED };
      const now = context.clock.now();
      const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");
      await query(
        em,
        `insert into move_codes (id, licence_id, fingerprint, code_hash, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (licence_id, fingerprint) do update
           set code_hash = excluded.code_hash, attempts = 0, created_at = excluded.created_at,
               expires_at = excluded.expires_at`,
        [
          randomUUID(),
          licenceId,
          fingerprint,
          hashMoveCode(context, { licenceId, fingerprint }, code),
          now,
          addMilliseconds(now, LIFETIME_MINUTES * MINUTE),
        ],
      );
      await emailUser(context, em, user, moveCode, {
        code,
        minutes: LIFETIME_MINUTES,
        machineName: shorten(formatMachineName(machine.machineName)),
        osUser: machine.osUser ? shorten(machine.osUser) : null,
        ip: context.origin.ip,
        at: now,
      });
      return {
        code: "VALID",
        message: `We have sent a code to ${maskEmail(user.email)}. It is good for ${LIFETIME_MINUTES} minutes.`,
      };
    });
    if (!answer) throw new Error("Sending a move code ended without an answer.");
    // Count only emails that were actually sent.
    if (answer.code === "VALID") countTry();
    return answer;
  });
}

/** Shortens text that the machine supplies for the email, so that nobody can use it to send the owner a message. */
function shorten(text: string): string {
  const maxLength = 40;
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/**
 * Handles a call from 'Move my licence here' in the add-in. Locks the licence, refuses the call if the licence's status
 * requires it, and otherwise calls `handle`. Records a licence event for every known licence.
 * @returns null if `handle` returned null, which means a wrong email code.
 * @throws AppError BAD_USER_INPUT for a mistyped licence code, RATE_LIMITED after many unknown licence codes.
 */
async function handleMoveCall(
  context: Context,
  values: AddinValues,
  handle: (em: EntityManager, licence: LockedLicence) => Promise<LicenceAnswer | null>,
): Promise<LicenceAnswer | null> {
  const licenceCode = parseLicenceCode(values.licenceCode);
  const known = await inTransaction(context, async (em) => {
    const licence = await lockLicence(context, em, licenceCode, values);
    if (!licence) return undefined;
    const answer = getRefusal(licence) ?? (await handle(em, licence));
    recordLicenceEvent(context, em, {
      kind: "move",
      resultCode: ResultCode[answer?.code ?? "FAILED"],
      licenceId: licence.licenceId,
      request: values,
    });
    return answer;
  });
  return known === undefined ? refuseUnknownCode(context, "move", values) : known;
}

/** Number of wrong attempts after which a code no longer works. */
const MAX_WRONG_ATTEMPTS = 5;

/**
 * Lists a licence's devices for a machine that submits the code emailed to the licence's owner. A call to `activate`
 * can then replace one of them. The code works until it expires, so a lost response can be retried.
 * @throws AppError BAD_USER_INPUT for a mistyped licence code and for a wrong, expired or blocked email code;
 * RATE_LIMITED after many unknown licence codes.
 */
export async function listMovableDevices(context: Context, values: MoveDevicesValues): Promise<LicenceAnswer> {
  const answer = await handleMoveCall(context, values, async (em, { licenceId, userId }) => {
    if (!(await verifyMoveCode(context, em, licenceId, values))) return null;
    return {
      code: "VALID",
      message: doneMessages.moveDevices,
      machines: await findActiveDevices(em, licenceId),
      deactivationsRemaining: (await loadDeactivationAllowance({ ...context, em }, userId)).remaining,
    };
  });
  // Throw after the commit, so that the wrong attempt is counted.
  if (!answer) throw createEmailCodeError();
  return answer;
}

/** Returns the error for an emailed code that is wrong, expired or blocked. */
export function createEmailCodeError(): AppError {
  return badInput({ emailCode: ["This code is not right, or it has lapsed. Please check it or ask for a new one."] });
}

/** Returns whether the code was emailed for this machine and counts a wrong attempt. The licence must be locked. */
async function verifyMoveCode(
  context: Context,
  em: EntityManager,
  licenceId: string,
  { machine, emailCode }: MoveDevicesValues,
): Promise<boolean> {
  const fingerprint = normaliseIdentityValue(machine.fingerprint);
  const moveCode = await em.findOne(MoveCode, { licence: licenceId, fingerprint });
  if (!moveCode || moveCode.expiresAt <= context.clock.now() || moveCode.attempts >= MAX_WRONG_ATTEMPTS) return false;
  const typed = removeSeparators(emailCode);
  if (moveCode.codeHash === hashMoveCode(context, { licenceId, fingerprint }, typed)) return true;
  moveCode.attempts++;
  return false;
}
