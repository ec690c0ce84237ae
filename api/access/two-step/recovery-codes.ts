import { randomBytes } from "node:crypto";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { describeDevice } from "#api/access/sessions/user-agent.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { recoveryCodeUsed } from "#api/messaging/emails/templates/recovery-code-used.tsx";
import { joinCode } from "./totp.ts";
import { RecoveryCode } from "./two-step-methods.entity.ts";

/** Number of recovery codes in a set. */
const RECOVERY_CODE_COUNT = 10;

// Crockford's base32, as in licence codes: it has no characters that look alike on paper.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** Number of random characters: 80 bits, too many to guess even with access to the hash. */
const CODE_LENGTH = 16;

/** Generates a recovery code such as `ABCD-EFGH-JKMN-PQRS`. */
export function generateRecoveryCode(): string {
  // 256 is a multiple of 32, so the remainder favours no character.
  return formatGroups(Array.from(randomBytes(CODE_LENGTH), (byte) => alphabet[byte % alphabet.length]).join(""));
}

/** Converts user input to the stored form of a recovery code, or returns null if it doesn't have the form of one. */
export function normaliseRecoveryCode(typed: string): string | null {
  const characters = joinCode(typed).toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1");
  return /^[0-9A-HJKMNP-TV-Z]{16}$/.test(characters) ? formatGroups(characters) : null;
}

const formatGroups = (characters: string) => characters.match(/.{4}/g)?.join("-") ?? "";

/**
 * Replaces a user's recovery codes with ten new ones. Runs in the transaction of `em`, which must have locked the
 * user's row.
 * @returns the codes, which can't be read again.
 */
export async function replaceRecoveryCodes(context: Context, em: EntityManager, user: User): Promise<string[]> {
  await em.nativeDelete(RecoveryCode, { user: user.id });
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, generateRecoveryCode);
  for (const code of codes)
    em.create(RecoveryCode, { user, codeHash: hashSecret(code), createdAt: context.clock.now() });
  return codes;
}

/** Returns the number of a user's unused recovery codes. */
export function countRecoveryCodes(em: EntityManager, userId: string): Promise<number> {
  return em.count(RecoveryCode, { user: userId, usedAt: null });
}

/**
 * Consumes one of the user's recovery codes and notifies them by email. Returns false if the code is wrong or already
 * used.
 */
export async function consumeRecoveryCode(
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
  await emailUser(context, em, user, recoveryCodeUsed, {
    at: usedAt,
    codesLeft: await countRecoveryCodes(em, user.id),
    browser: describeDevice(context.origin.userAgent),
    ip: context.origin.ip,
  });
  return true;
}
