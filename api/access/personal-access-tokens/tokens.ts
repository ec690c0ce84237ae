import type { Context } from "#api/platform/context.ts";
import { type EntityManager, getRow, inTransaction } from "#api/platform/database/database.ts";
import { badInput, conflict } from "#api/platform/errors.ts";
import { requireSession } from "#api/platform/graphql/token-scopes.ts";
import { lockCaller, lockUserAgainstDeletion, User } from "#api/people/users/user.entity.ts";
import { authorizeOwner } from "#api/platform/graphql/staff-role.ts";
import { PersonalAccessToken } from "./personal-access-token.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { createType, field, Scope } from "#api/platform/graphql/declare.ts";
import type { MemberType } from "#schema/user.ts";
import {
  canHaveScope,
  MAX_TOKENS,
  type PersonalAccessTokenValues,
  scopeNames,
  scopes,
  TOKEN_PREFIX,
} from "#schema/personal-access-token.ts";
import { hashSecret, generateSecret } from "#api/platform/keys/secrets.ts";
import { roleByMemberType } from "#api/access/sessions/access-token.ts";
import { issueNotMeLink } from "#api/access/registration/email-tokens.ts";
import { describeDevice } from "#api/access/sessions/user-agent.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { personalAccessToken } from "#api/messaging/emails/templates/personal-access-token.tsx";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { findLabel } from "#schema/closed-list.ts";

/** Number of trailing characters kept to help the owner recognise a token. */
const HINT_LENGTH = 4;

export const CreatePersonalAccessTokenResult = createType(
  "CreatePersonalAccessTokenResult",
  "signedIn",
  "A newly created personal access token.",
  {
    token: field.object(() => PersonalAccessToken, "The token's details.", { access: Scope("session") }),
    secret: field.text("The token itself, `xpat_…`. It is returned only once."),
  },
);
export type CreatePersonalAccessTokenResult = InstanceType<typeof CreatePersonalAccessTokenResult>;

/**
 * Creates a personal access token for the signed-in caller and notifies them by email (decision 0050).
 * @throws AppError UNAUTHENTICATED; FORBIDDEN if the caller uses a personal access token; BAD_USER_INPUT under `scopes`
 * if the caller's role doesn't allow one of them; CONFLICT if the caller has {@link MAX_TOKENS} live tokens.
 */
export async function createToken(
  context: Context,
  values: PersonalAccessTokenValues,
): Promise<CreatePersonalAccessTokenResult> {
  requireSession(context);
  const { clock, origin } = context;
  return inTransaction(context, async (em) => {
    // The lock on the owner's row keeps concurrent requests below the limit and keeps a token from outliving a change
    // of role.
    const user = await lockCaller(context, em);
    const role = roleByMemberType[user.memberType as MemberType];
    if (!values.scopes.every((scope) => canHaveScope(role, scope)))
      throw badInput({ scopes: ["Your account can't use all of these scopes."] });
    const now = clock.now();
    if ((await countLiveTokens(context, em, user.id)) >= MAX_TOKENS)
      throw conflict(`You have reached the limit of ${MAX_TOKENS} personal access tokens. Revoke one first.`);
    const secret = TOKEN_PREFIX + generateSecret();
    const token = em.create(PersonalAccessToken, {
      user,
      name: values.name,
      scopes: scopeNames.filter((scope) => values.scopes.includes(scope)),
      networks: values.networks,
      tokenHash: hashSecret(secret),
      hint: secret.slice(-HINT_LENGTH),
      createdAt: now,
      expiresAt: addMilliseconds(now, values.expiresInDays * DAY),
    });
    if (role === "admin") await recordTokenChange(context, em, "create-token", { token, user });
    await emailUser(context, em, user, personalAccessToken, {
      name: token.name,
      scopes: token.scopes.map((scope) => findLabel(scopes, scope)),
      expiresAt: token.expiresAt,
      at: now,
      browser: describeDevice(origin.userAgent),
      ip: origin.ip,
      notMe: issueNotMeLink(context, em, user),
    });
    return { token, secret };
  });
}

/** Records in the audit log that an admin created or revoked a token, their own or another user's. */
function recordTokenChange(
  context: Context,
  em: EntityManager,
  action: "create-token" | "revoke-token",
  { token, user }: { token: PersonalAccessToken; user: User },
): Promise<void> {
  const values = {
    name: token.name,
    scopes: token.scopes,
    networks: token.networks,
    expiresAt: token.expiresAt.toISOString(),
  };
  return recordChange(context, em, {
    action,
    subject: { type: "personal-access-token", id: token.id, name: `${user.firstName} ${user.lastName}` },
    userId: user.id,
    ...(action === "create-token" ? { after: values } : { before: values }),
  });
}

/**
 * Revokes one of the caller's tokens, or any user's token if the caller is an owner. The token stops working on its
 * next request. Revoking a token twice has no effect. Admins' revocations are recorded in the audit log.
 * @throws AppError UNAUTHENTICATED; FORBIDDEN if the caller uses a personal access token, or is an admin but not an owner
 * and the token is another user's; STEP_UP_REQUIRED for another user's token; NOT_FOUND to customers for another user's
 * token, and for unknown and malformed ids.
 */
export async function revokeToken(context: Context, id: string): Promise<PersonalAccessToken> {
  const { userId, role } = requireSession(context);
  const ownerFilter = role === "admin" ? {} : { user: userId };
  return inTransaction(context, async (em) => {
    const known = await getRow(em, PersonalAccessToken, { id, ...ownerFilter });
    if (known.user.id !== userId) authorizeOwner(context);
    // Without this lock, the audit entry could retain the name of a user whose account has just been deleted.
    await lockUserAgainstDeletion(em, known.user.id);
    const revokedAt = context.clock.now();
    const revoked = await em.nativeUpdate(PersonalAccessToken, { id: known.id, revokedAt: null }, { revokedAt });
    const token = await getRow(em, PersonalAccessToken, { id: known.id }, { refresh: true });
    if (revoked === 1 && role === "admin") {
      const user = await em.findOneOrFail(User, token.user.id);
      await recordTokenChange(context, em, "revoke-token", { token, user });
    }
    return token;
  });
}

/**
 * Revokes all tokens of a user, in the transaction of `em`: when the user is signed out everywhere, and when a customer
 * becomes an admin, because the same scopes would then cover the data of all customers.
 * @returns the number of tokens revoked.
 */
export async function revokeUserTokens(em: EntityManager, userId: string, at: Date): Promise<number> {
  return em.nativeUpdate(PersonalAccessToken, { user: userId, revokedAt: null }, { revokedAt: at });
}

/** Expired tokens stay listed this long, so their owners can see why an integration stopped working. */
const SHOWN_EXPIRED_MS = 30 * DAY;

const tokensOfUser = createRelationLoader<PersonalAccessToken>({
  entity: PersonalAccessToken,
  of: "user",
  orderBy: { createdAt: "desc", id: "desc" },
  where: { revokedAt: null },
});

/** Returns the number of a user's tokens that are neither expired nor revoked. */
export async function countLiveTokens({ clock }: Context, em: EntityManager, userId: string): Promise<number> {
  return em.count(PersonalAccessToken, { user: userId, revokedAt: null, expiresAt: { $gt: clock.now() } });
}

/** Returns a user's tokens, newest first. Leaves out revoked tokens and tokens that expired more than 30 days ago. */
export async function listUserTokens(context: Context, userId: string): Promise<PersonalAccessToken[]> {
  const shownSince = addMilliseconds(context.clock.now(), -SHOWN_EXPIRED_MS);
  const tokens = await tokensOfUser(context, userId);
  return tokens.filter(({ expiresAt }) => expiresAt > shownSince);
}
