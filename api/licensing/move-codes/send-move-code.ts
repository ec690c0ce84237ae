import { randomInt, randomUUID } from "node:crypto";
import type { AddinValues } from "#schema/protocol.ts";
import { formatMachineName } from "#schema/machine-name.ts";
import { addMilliseconds, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database/database.ts";
import { hashSecret, hashWithKey } from "#api/platform/keys/secrets.ts";
import { limitAttempts } from "#api/platform/limits/limit-attempts.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import {
  isIssuedCode,
  type LicenceAnswer,
  parseLicenceCode,
  refuseUnknownCode,
} from "#api/licensing/licences/licence-answer.ts";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { moveCode } from "#api/messaging/emails/templates/move-code.tsx";
import { handleMoveCall } from "./handle-move-call.ts";

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

const LIFETIME_MINUTES = 10;
const DIGITS = 6;

/** Returns the keyed hash that is stored in place of a code. It is bound to one licence and one machine. */
export function hashMoveCode(
  context: Pick<Context, "keys">,
  bound: { licenceId: string; fingerprint: string },
  code: string,
): string {
  return hashWithKey(context.keys.current, "move codes", JSON.stringify([bound.licenceId, bound.fingerprint, code]));
}

/**
 * Emails the licence's owner a code. With it, a machine that couldn't be activated can list the licence's devices. A
 * newer code for the same machine replaces the older one.
 * @throws AppError BAD_USER_INPUT for a mistyped licence code; RATE_LIMITED after 3 emails an hour about a licence from
 * one IP address or 12 a day from all addresses, and after many unknown codes. The limit per address prevents other
 * holders of the licence code from using up the owner's attempts.
 */
export async function sendMoveCode(context: Context, values: AddinValues): Promise<LicenceAnswer> {
  const { machine } = values;
  const licenceCode = parseLicenceCode(values.licenceCode);
  if (!(await isIssuedCode(context, licenceCode))) return refuseUnknownCode(context, "move", values);
  const limits = [
    ["moveCode", `${toRateLimitAddress(context.origin.ip)} ${hashSecret(licenceCode)}`],
    ["moveCodeByLicence", hashSecret(licenceCode)],
  ] as const;
  // Count the attempt before the licence is locked, because the counter needs another database connection.
  return limitAttempts(context, limits, async (countTry) => {
    const answer = await handleMoveCall(context, values, async (em, { licenceId, email, firstName }) => {
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
          machine.fingerprint,
          hashMoveCode(context, { licenceId, fingerprint: machine.fingerprint }, code),
          now,
          addMilliseconds(now, LIFETIME_MINUTES * MINUTE),
        ],
      );
      await sendEmail(context, em, {
        template: moveCode,
        to: email,
        data: {
          firstName,
          code,
          minutes: LIFETIME_MINUTES,
          machineName: shorten(formatMachineName(machine.machineName)),
          osUser: machine.osUser ? shorten(machine.osUser) : null,
          ip: context.origin.ip,
          at: now,
        },
      });
      return {
        code: "VALID",
        message: `We have sent a code to ${maskEmail(email)}. It is good for ${LIFETIME_MINUTES} minutes.`,
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
