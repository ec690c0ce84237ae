import { Field, ObjectType } from "type-graphql";
import { type EntityManager, query } from "#api/platform/database.ts";
import { AppError } from "#api/platform/errors.ts";
import type { AuditAction } from "./audit-actions.ts";

/** What of a row staff edit: the action that its changes are noted under, each with its `revision`, and its id. */
export interface Edited {
  readonly action: AuditAction;
  readonly id: string;
}

/** One change by staff, as somebody who was editing the same thing is told of it. */
@ObjectType({ description: "What a member of staff changed of something, and when." })
export class StaffChange {
  @Field(() => Date, { description: "UTC." })
  at!: Date;
  @Field(() => String)
  actorName!: string;
  @Field(() => [String], { description: "Names as in the audit log." })
  fields!: string[];
}

/** What staff changed after a revision, oldest first; what a person changed of themselves is in no log. */
export async function listChangesSince(
  em: EntityManager,
  { action, id }: Edited,
  revision: number,
): Promise<StaffChange[]> {
  const rows = await query<{ at: Date | string; actorName: string; fields: string[] }>(
    em,
    `select at, actor_name as "actorName",
            array(select key from jsonb_object_keys("after") as key where key <> 'revision' order by key) as "fields"
       from audit_entries
      where subject_id = $1 and action = $2 and ("after"->>'revision')::int > $3
      order by audit_entries.at, audit_entries.id limit 100`,
    [id, action, revision],
  );
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

/**
 * Refuses a form that began before somebody else's change, and says who changed what since. The row must be locked. Who
 * sent no revision is not refused: the last write wins.
 * @throws AppError CONFLICT with the reason STALE_REVISION.
 */
export async function refuseStale(
  em: EntityManager,
  edited: Edited & { readonly noun: string; readonly revision: number },
  began: number | undefined,
): Promise<void> {
  if (began === undefined || began === edited.revision) return;
  const changes = await listChangesSince(em, edited, began);
  const said = changes.map(
    ({ actorName, fields, at }) => `${actorName} changed ${fields.join(", ")} ${at.toISOString()}.`,
  );
  if (edited.noun === "user" && changes.length < edited.revision - began)
    said.push("The person changed their own details.");
  throw new AppError("CONFLICT", {
    message: [`This ${edited.noun} was changed in the meantime.`, ...said, "Please reload and try again."].join(" "),
    reason: "STALE_REVISION",
  });
}
