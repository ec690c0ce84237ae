import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import type { PersonalAccessToken } from "./personal-access-token.entity.ts";

/** Writes into the audit log that an admin made a token, or revoked one, be it their own or somebody else's. */
export function noteToken(
  context: Context,
  em: EntityManager,
  action: "create-token" | "revoke-token",
  { token, user }: { token: PersonalAccessToken; user: User },
): Promise<void> {
  const values = { name: token.name, scopes: token.scopes, expiresAt: token.expiresAt.toISOString() };
  return noteChange(context, em, {
    action,
    subject: { type: "personal-access-token", id: token.id, name: `${user.firstName} ${user.lastName}` },
    userId: user.id,
    ...(action === "create-token" ? { after: values } : { before: values }),
  });
}
