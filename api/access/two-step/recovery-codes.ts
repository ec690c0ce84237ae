import { randomBytes } from "node:crypto";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { hashSecret } from "#api/platform/secrets.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { deviceInWords } from "#api/access/sessions/user-agent.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import { RecoveryCode } from "./recovery-code.entity.ts";

/** How many a person gets at once. */
export const RECOVERY_CODES = 10;

// Crockford's base32, as in licence codes: nothing is mistaken for another when copied from paper.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 80 random bits: too many to find by trying, with the hash or without it. */
const CHARACTERS = 16;

/** A new code, `ABCD-EFGH-JKMN-PQRS`. */
export function newRecoveryCode(): string {
  // 256 is a multiple of 32, so the remainder favours no character.
  return inGroups(Array.from(randomBytes(CHARACTERS), (byte) => alphabet[byte % alphabet.length]).join(""));
}

/** What a person typed, as codes are written; null when it is none by its shape. */
export function normaliseRecoveryCode(typed: string): string | null {
  const characters = typed
    .replace(/[\s\p{Pd}]/gu, "")
    .toUpperCase()
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
  return /^[0-9A-HJKMNP-TV-Z]{16}$/.test(characters) ? inGroups(characters) : null;
}

const inGroups = (characters: string) => characters.match(/.{4}/g)?.join("-") ?? "";

/**
 * Gives a user ten new codes; all older ones are gone. Belongs to the transaction of `em`, in which the user's row is
 * locked.
 * @returns the codes, which nobody can read again.
 */
export async function replaceRecoveryCodes(context: Context, em: EntityManager, user: User): Promise<string[]> {
  await em.nativeDelete(RecoveryCode, { user: user.id });
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  for (const code of codes)
    em.create(RecoveryCode, { user, codeHash: hashSecret(code), createdAt: context.clock.now() });
  return codes;
}

/** How many of a user's codes are left. */
export function countRecoveryCodes(em: EntityManager, userId: string): Promise<number> {
  return em.count(RecoveryCode, { user: userId, usedAt: null });
}

/** Uses one of the user's codes up, once, and tells them by mail; false when it is none or was used. */
export async function spendRecoveryCode(
  context: Context,
  em: EntityManager,
  user: User,
  code: string,
): Promise<boolean> {
  const usedAt = context.clock.now();
  const used = await em.nativeUpdate(
    RecoveryCode,
    { user: user.id, codeHash: hashSecret(code), usedAt: null },
    { usedAt },
  );
  if (used === 0) return false;
  await sendMail(context, em, {
    template: "recovery-code-used",
    to: user.email,
    data: {
      firstName: user.firstName,
      at: usedAt,
      codesLeft: await countRecoveryCodes(em, user.id),
      browser: deviceInWords(context.origin.userAgent),
      ip: context.origin.ip,
    },
  });
  return true;
}
