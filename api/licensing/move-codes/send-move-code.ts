import { randomInt, randomUUID } from "node:crypto";
import type { AddinValues } from "#schema/rules/protocol.ts";
import { shownMachineName } from "#schema/machine-name.ts";
import { after, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database.ts";
import { hashSecret, keyedHash } from "#api/platform/secrets.ts";
import { limitTries } from "#api/platform/limit-tries.ts";
import { limitedAddress } from "#api/platform/rate-limits.ts";
import {
  isIssued,
  type LicenceAnswer,
  readLicenceCode,
  refuseUnknownCode,
} from "#api/licensing/licences/licence-answer.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import { answerMove } from "./move-standing.ts";

/**
 * An address that its owner recognises and a stranger does not learn: `a•••@d•••.test`. Always three dots, so that
 * they do not tell its length.
 */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1);
  const ending = domain.slice(domain.lastIndexOf(".") + 1);
  return `${first(email.slice(0, at))}•••@${first(domain)}•••.${ending}`;
}

// A letter beyond the basic plane has two halves.
const first = (text: string) => String.fromCodePoint(text.codePointAt(0) ?? 0x2022);

const LIFETIME_MINUTES = 10;
const DIGITS = 6;

/** What is stored of a code: it is one licence's and one machine's. */
export function hashMoveCode(
  context: Pick<Context, "keys">,
  bound: { licenceId: string; fingerprint: string },
  code: string,
): string {
  return keyedHash(context.keys, "move codes", JSON.stringify([bound.licenceId, bound.fingerprint, code]));
}

/**
 * Mails a licence's owner the code by which a machine that found no place may see the licence's devices. A newer code
 * for the same machine ends the older.
 * @throws AppError BAD_USER_INPUT for a mistyped licence code, RATE_LIMITED after 3 mails an hour about a licence from one
 * address or 12 a day from all, so that who else knows the code cannot keep its owner from moving, and for many unknown
 * codes.
 */
export async function sendMoveCode(context: Context, asked: AddinValues): Promise<LicenceAnswer> {
  const { machine } = asked;
  const licenceCode = readLicenceCode(asked.licenceCode);
  if (!(await isIssued(context, licenceCode))) return refuseUnknownCode(context, "move", asked);
  const limits = [
    ["moveCode", `${limitedAddress(context.origin.ip)} ${hashSecret(licenceCode)}`],
    ["moveCodeByLicence", hashSecret(licenceCode)],
  ] as const;
  // Counted before the licence is locked: the counter needs a connection of its own.
  return limitTries(context, limits, async (countTry) => {
    const answer = await answerMove(context, asked, async (em, { licenceId, email, firstName }) => {
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
          after(now, LIFETIME_MINUTES * MINUTE),
        ],
      );
      await sendMail(context, em, {
        template: "move-code",
        to: email,
        data: {
          firstName,
          code,
          minutes: LIFETIME_MINUTES,
          machineName: shortened(shownMachineName(machine.machineName)),
          osUser: machine.osUser ? shortened(machine.osUser) : null,
          ip: context.origin.ip,
          at: now,
        },
      });
      return {
        code: "VALID",
        message: `We have sent a code to ${maskedEmail(email)}. It is good for ${LIFETIME_MINUTES} minutes.`,
      };
    });
    if (!answer) throw new Error("Sending a move code ended without an answer.");
    // Only an email that is sent counts.
    if (answer.code === "VALID") countTry();
    return answer;
  });
}

/** A text of the asking machine as the mail shows it: nobody writes letters to the owner in it. */
function shortened(text: string): string {
  const most = 40;
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
