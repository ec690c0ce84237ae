import { createType, field } from "#api/platform/graphql/declare.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { AppError } from "#api/platform/errors.ts";
import type { AuditAction } from "./audit-actions.ts";

/** The object a form edits. Audit entries of `action` for `id` include its `revision`. */
interface EditedSubject {
  readonly action: AuditAction;
  readonly id: string;
}

export const StaffChange = createType(
  "StaffChange",
  "admin",
  "A change by a member of staff to an object that another admin is editing.",
  {
    at: field.moment("The time of the change, in UTC."),
    actorName: field.text("Name and email address of the admin who made the change."),
    fields: field.texts("Names of the changed fields, as in the audit log."),
  },
);
export type StaffChange = InstanceType<typeof StaffChange>;

/** Returns changes by staff after a revision, oldest first. Changes that users make to their own account aren't logged. */
export async function listChangesSince(
  em: EntityManager,
  { action, id }: EditedSubject,
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
 * Rejects an edit based on an outdated revision, with a message that lists the changes since then. The caller must have
 * locked the row. Without a revision, the last write wins.
 * @throws AppError CONFLICT with reason STALE_REVISION.
 */
export async function rejectStaleRevision(
  em: EntityManager,
  edited: EditedSubject & { readonly noun: string; readonly revision: number },
  baseRevision: number | null | undefined,
): Promise<void> {
  // GraphQL passes an argument that was sent as null.
  if (baseRevision == null || baseRevision === edited.revision) return;
  const changes = await listChangesSince(em, edited, baseRevision);
  const sentences = changes.map(
    ({ actorName, fields, at }) => `${actorName} changed ${fields.join(", ")} at ${at.toISOString()}.`,
  );
  if (edited.noun === "user" && changes.length < edited.revision - baseRevision)
    sentences.push("The user changed their own details.");
  throw new AppError("CONFLICT", {
    message: [`This ${edited.noun} was changed in the meantime.`, ...sentences, "Please reload and try again."].join(
      " ",
    ),
    reason: "STALE_REVISION",
  });
}
