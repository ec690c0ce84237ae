import { type Scope, TOKEN_PREFIX } from "#schema/personal-access-token.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { hashSecret, generateSecret } from "#api/platform/keys/secrets.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { PersonalAccessToken } from "#api/access/personal-access-tokens/personal-access-token.entity.ts";
import type { TestApp } from "#tests/support/test-app.ts";

/** Creates an active token with these scopes, even if the user's role doesn't allow them. */
export async function createToken(
  test: TestApp,
  user: User,
  scopes: readonly Scope[] = ["profile:read"],
  changes: Partial<PersonalAccessToken> = {},
): Promise<{ secret: string; token: PersonalAccessToken }> {
  const em = test.services.orm.em.fork();
  const secret = TOKEN_PREFIX + generateSecret();
  const now = test.clock.now();
  const times = { createdAt: now, expiresAt: addMilliseconds(now, 30 * DAY) };
  const hidden = { tokenHash: hashSecret(secret), hint: secret.slice(-4) };
  const values = { user: user.id as never, name: "Nightly export", scopes: [...scopes], ...hidden, ...times };
  const token = em.create(PersonalAccessToken, { ...values, ...changes });
  await em.flush();
  return { secret, token };
}

/** Creates a token with these scopes and returns its secret. */
export const createTokenWithScopes = async (test: TestApp, user: User, scopes: readonly Scope[]): Promise<string> =>
  (await createToken(test, user, scopes)).secret;
