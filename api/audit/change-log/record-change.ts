import { getAuditKey } from "#api/audit/chain/audit-key.ts";
import { createSeal } from "#api/audit/chain/seals.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { toColumnName, toPropertyName } from "#api/platform/database/columns.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { AuditEntry, type AuditedValues } from "./audit-entry.entity.ts";
import type { AuditAction, auditSubjects } from "./audit-actions.ts";
import type { ValueOf } from "#schema/closed-list.ts";
import { randomUUID } from "node:crypto";
import { createSlot } from "#api/platform/slots.ts";

/** A change of a user, a contact or a build that others may have to know. */
export type AnnouncedChange =
  | { readonly kind: "user.created" | "user.archived" | "user.restored" | "user.erased"; readonly userId: string }
  | { readonly kind: "user.changed"; readonly userId: string; readonly fields: readonly string[] }
  | { readonly kind: "contact.created" | "contact.deleted"; readonly userId: string; readonly contactId: string }
  | {
      readonly kind: "contact.changed";
      readonly userId: string;
      readonly contactId: string;
      readonly fields: readonly string[];
    }
  | { readonly kind: "build.published"; readonly build: { readonly id: string; readonly name: string } };

/** Records webhook events for changes, in the transaction of `em`. The webhooks area provides it. */
export const changeWebhooks =
  createSlot<(context: Context, em: EntityManager, changes: readonly AnnouncedChange[]) => Promise<void>>(
    "webhook events for changes",
  );

export interface RecordedChange {
  action: AuditAction;
  subject: { type: ValueOf<typeof auditSubjects>; id: string; name: string };
  /** User whose account the change affects, or null. */
  userId: string | null;
  /** Bulk run that causes the change. */
  bulkRunId?: string;
  /** Values before and after; only differences are stored. Must not include passwords, tokens or licence codes. */
  before?: AuditedValues | null;
  after?: AuditedValues | null;
}

/**
 * Records a change in the audit log, in the same transaction as the change (docs/domain.md#audit). Records nothing if
 * `before` and `after` are both given and equal.
 */
export async function recordChange(context: Context, em: EntityManager, given: RecordedChange): Promise<void> {
  const { before = null, after = null } = given;
  const stored = before && after ? pickChangedValues(before, after) : { before, after };
  if (!stored) return;
  // The seal covers the ID as the database returns it, but callers may pass one from a request in capitals.
  const change = { ...given, ...stored, userId: given.userId?.toLowerCase() ?? null };
  const actorId = getActorId(context);
  const actorName = actorId ? await getActorName(em, actorId) : "System";
  const entry = em.create(AuditEntry, buildEntry(context, actorName, change));
  const seal = createSeal(getAuditKey(context), "audit", mapKeys(entry, toColumnName));
  Object.assign(entry, mapKeys(seal, toPropertyName));
  await changeWebhooks.get()(context, em, toAnnouncedChanges(change));
}

const getActorId = ({ actor }: Context): string | null => actor?.viewerId ?? actor?.userId ?? null;

function buildEntry(context: Context, actorName: string, change: RecordedChange) {
  const { action, subject, userId, bulkRunId = null, before = null, after = null } = change;
  return {
    id: randomUUID(),
    at: context.clock.now(),
    actorId: getActorId(context),
    actorName,
    action,
    subjectType: subject.type,
    subjectId: subject.id,
    subjectName: limitName(subject.name),
    userId,
    bulkRunId,
    before,
    after,
    ip: context.origin.ip,
    requestId: context.origin.requestId,
  };
}

/** Returns the subject of a change of a user's account. */
export function aboutUser({ id, firstName, lastName }: Pick<User, "id" | "firstName" | "lastName">) {
  return { subject: { type: "user", id, name: `${firstName} ${lastName}` }, userId: id } as const;
}

/** Records an update of a locked user by staff, and counts its revision, in the transaction of `em`. */
export async function recordUserUpdate(
  context: Context,
  em: EntityManager,
  user: User,
  before: AuditedValues,
  after: AuditedValues,
): Promise<void> {
  await recordChange(context, em, {
    action: "update-user",
    ...aboutUser(user),
    before: { ...before, revision: user.revision },
    after: { ...after, revision: user.revision + 1 },
  });
  user.revision += 1;
}

/** Returns what webhook endpoints have to know of an audited change. */
function toAnnouncedChanges({ action, subject, userId, after }: RecordedChange): AnnouncedChange[] {
  const kind = announced[action];
  if (kind === undefined) return [];
  if (kind === "build.published") return [{ kind, build: { id: subject.id, name: subject.name } }];
  if (userId === null) return [];
  const fields = Object.keys(after ?? {}).filter((field) => field !== "revision");
  if (kind === "user.changed") return fields.length > 0 ? [{ kind, userId, fields }] : [];
  if (kind === "contact.changed") return [{ kind, userId, contactId: subject.id, fields }];
  if (kind === "contact.created" || kind === "contact.deleted") return [{ kind, userId, contactId: subject.id }];
  return [{ kind, userId }];
}

const announced: Partial<Record<AuditAction, AnnouncedChange["kind"]>> = {
  "create-user": "user.created",
  "update-user": "user.changed",
  "archive-user": "user.archived",
  "restore-user": "user.restored",
  "erase-user": "user.erased",
  "merge-account": "user.archived",
  "undo-merge": "user.restored",
  "add-contact": "contact.created",
  "restore-contact": "contact.created",
  "update-contact": "contact.changed",
  "delete-contact": "contact.deleted",
  "publish-software": "build.published",
};

function mapKeys(values: object, toKey: (name: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [toKey(name), value as unknown]));
}

/** Shortens a name to a column's 255 characters. Half a character would be stored as another one, which the seal wouldn't match. */
export const limitName = (name: string) => name.slice(0, 255).toWellFormed();

/**
 * Returns SQL for the name and email address of a user as the audit log has them, without the placeholder that an erased
 * user has as address. @param user alias of the table `users`
 */
export const actorNameSql = (user: string) =>
  `${user}.first_name || ' ' || ${user}.last_name
    || case when ${user}.deleted_at is null then ' <' || ${user}.email || '>' else '' end`;

/** Returns the name and email address of a user as the audit log stores them. */
export async function getActorName(em: EntityManager, userId: string): Promise<string> {
  const [row] = await query<{ name: string }>(em, `select ${actorNameSql("u")} as name from users u where id = $1`, [
    userId,
  ]);
  return limitName(row?.name ?? "Unknown");
}

function pickChangedValues(
  before: AuditedValues,
  after: AuditedValues,
): { before: AuditedValues; after: AuditedValues } | null {
  const changed = Object.keys(after).filter(
    (key) => JSON.stringify(before[key] ?? null) !== JSON.stringify(after[key] ?? null),
  );
  if (changed.length === 0) return null;
  const pick = (values: AuditedValues) => Object.fromEntries(changed.map((key) => [key, values[key] ?? null]));
  return { before: pick(before), after: pick(after) };
}

/**
 * Records many changes by one admin in the audit log with a single statement, in the transaction of `em`. Takes the
 * admin's name from the caller, and stores `before` and `after` in full, not only the differences.
 */
export async function recordChanges(
  context: Context,
  em: EntityManager,
  actorName: string,
  changes: readonly RecordedChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const key = getAuditKey(context);
  const rows = changes.map((change) => {
    const row = mapKeys(buildEntry(context, actorName, change), toColumnName);
    return { ...row, ...createSeal(key, "audit", row) };
  });
  const columns = `id, at, actor_id, actor_name, action, subject_type, subject_id, subject_name, user_id, bulk_run_id, before, after, ip,
    request_id, subject_salt, subject_hash, actor_salt, actor_hash, seal`;
  await query(
    em,
    `insert into audit_entries (${columns}) select ${columns} from jsonb_populate_recordset(null::audit_entries, $1::jsonb)`,
    [JSON.stringify(rows)],
  );
  await changeWebhooks.get()(context, em, changes.flatMap(toAnnouncedChanges));
}
