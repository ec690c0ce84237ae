import { foldPassword } from "#schema/rules/common-passwords.ts";
import { COMMON_PASSWORD_MESSAGE } from "#schema/rules/password.ts";
import { badInput } from "#api/platform/errors.ts";

/**
 * About 49,000 passwords that were stolen most often, from zxcvbn-ts. Only the server has them, because they would make
 * the forms several times as large. Loaded when first needed.
 */
let breached: Promise<ReadonlySet<string>> | undefined;

async function loadBreachedPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].map(foldPassword));
}

/**
 * Throws if a new password is one of the {@link breached} ones, ignoring case and common substitutions
 * (docs/domain.md#passwords). Everything that accepts a new password calls it.
 * @throws AppError BAD_USER_INPUT under `password`.
 */
export async function assertNotBreachedPassword(password: string): Promise<void> {
  breached ??= loadBreachedPasswords();
  if ((await breached).has(foldPassword(password))) throw badInput({ password: [COMMON_PASSWORD_MESSAGE] });
}
