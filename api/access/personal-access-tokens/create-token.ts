import { Scope } from "#api/platform/graphql/allow.ts";
import { createType, field } from "#api/platform/graphql/create-type.ts";
import { LockMode } from "@mikro-orm/core";
import type { MemberType } from "#schema/user.ts";
import {
  canHaveScope,
  MAX_TOKENS,
  type PersonalAccessTokenValues,
  scopeNames,
  scopes,
  TOKEN_PREFIX,
} from "#schema/personal-access-token.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { hashSecret, generateSecret } from "#api/platform/keys/secrets.ts";
import { requireSession } from "#api/platform/graphql/token-scopes.ts";
import { User } from "#api/people/users/user.entity.ts";
import { roleByMemberType } from "#api/access/sessions/access-token.ts";
import { issueNotMeLink } from "#api/access/registration/email-tokens.ts";
import { describeDevice } from "#api/access/sessions/user-agent.ts";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { personalAccessToken } from "#api/messaging/emails/templates/personal-access-token.tsx";
import { countLiveTokens } from "./list-tokens.ts";
import { PersonalAccessToken } from "./personal-access-token.entity.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
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
  const { userId } = requireSession(context);
  const { clock, origin } = context;
  return inTransaction(context, async (em) => {
    // The lock on the owner's row keeps concurrent requests below the limit and keeps a token from outliving a change
    // of role.
    const user = await em.findOneOrFail(User, userId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (user.archivedAt) throw new AppError("UNAUTHENTICATED");
    const role = roleByMemberType[user.memberType as MemberType];
    if (!values.scopes.every((scope) => canHaveScope(role, scope)))
      throw badInput({ scopes: ["Your account can't use all of these scopes."] });
    const now = clock.now();
    if ((await countLiveTokens(context, em, user.id)) >= MAX_TOKENS)
      throw new AppError("CONFLICT", {
        message: `You have reached the limit of ${MAX_TOKENS} personal access tokens. Revoke one first.`,
      });
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
    await sendEmail(context, em, {
      template: personalAccessToken,
      to: user.email,
      data: {
        firstName: user.firstName,
        name: token.name,
        scopes: token.scopes.map((scope) => findLabel(scopes, scope)),
        expiresAt: token.expiresAt,
        at: now,
        browser: describeDevice(origin.userAgent),
        ip: origin.ip,
        notMe: issueNotMeLink(context, em, user),
      },
    });
    return { token, secret };
  });
}

/** Records in the audit log that an admin created or revoked a token, their own or another user's. */
export function recordTokenChange(
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
