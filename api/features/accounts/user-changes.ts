import { type EntityManager, query } from "#api/platform/database.ts";
import { AppError } from "#api/platform/errors.ts";
import type { User } from "./user.entity.ts";

/** One change of a user by staff, as somebody who was editing the same user is told of it. */
export interface UserChange {
  readonly at: Date;
  readonly actorName: string;
  /** Names as in GraphQL. */
  readonly fields: string[];
}

/** What staff changed of a user after a revision, oldest first; what the person changed themselves is in no log. */
export async function listUserChanges(em: EntityManager, userId: string, revision: number): Promise<UserChange[]> {
  const rows = await query<{ at: Date | string; actorName: string; fields: string[] }>(
    em,
    `select at, actor_name as "actorName",
            array(select key from jsonb_object_keys("after") as key where key <> 'revision' order by key) as "fields"
       from audit_entries
      where user_id = $1 and action = 'update-user' and ("after"->>'revision')::int > $2
      order by audit_entries.at, audit_entries.id limit 100`,
    [userId, revision],
  );
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

/** The refusal of a form that began before somebody else's change: who changed what since. */
export async function staleRevision(em: EntityManager, user: User, revision: number): Promise<AppError> {
  const changes = await listUserChanges(em, user.id, revision);
  const said = changes.map(
    ({ actorName, fields, at }) => `${actorName} changed ${fields.join(", ")} ${at.toISOString()}.`,
  );
  if (changes.length < user.revision - revision) said.push("The person changed their own details.");
  return new AppError("CONFLICT", {
    message: `This user was changed in the meantime. ${said.join(" ")} Please reload and try again.`,
    reason: "STALE_REVISION",
  });
}
