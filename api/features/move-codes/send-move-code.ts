import { randomInt, randomUUID } from "node:crypto";
import type { AddinValues } from "#schema/rules/protocol.ts";
import { shownMachineName } from "#schema/machine-name.ts";
import { after, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database.ts";
import { keyedHash } from "#api/platform/keyed-hash.ts";
import { hashSecret } from "#api/platform/secrets.ts";
import { type LicenceAnswer, readLicenceCode } from "#api/features/licences/licence-answer.ts";
import { sendMail } from "#api/features/mails/send-mail.ts";
import { maskedEmail } from "./masked-email.ts";
import { answerMove } from "./move-standing.ts";

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
 * @throws AppError BAD_USER_INPUT for a mistyped licence code, RATE_LIMITED after 3 mails an hour about a licence, and
 * for many unknown codes.
 */
export async function sendMoveCode(context: Context, asked: AddinValues): Promise<LicenceAnswer> {
  const { machine } = asked;
  // Counted before the licence is locked: the counter needs a connection of its own.
  const limited = hashSecret(readLicenceCode(asked.licenceCode));
  await context.rateLimits.take("moveCode", limited);
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
        machineName: shownMachineName(machine.machineName),
        osUser: machine.osUser ?? null,
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
  // Where nothing was mailed nothing is counted.
  if (answer.code !== "VALID") await context.rateLimits.giveBack("moveCode", limited);
  return answer;
}
