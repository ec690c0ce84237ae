import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { AuditEntry, type AuditedValues } from "./audit-entry.entity.ts";
import type { AuditAction, auditSubjects } from "./audit-actions.ts";

/** What is written of a change. */
export interface NotedChange {
  action: AuditAction;
  subject: { type: (typeof auditSubjects)[number]; id: string; name: string };
  /** Whose account it concerns; null for what is nobody's. */
  userId: string | null;
  /** The row's values before and after; only those that differ are kept. Never a password, a token or a licence code. */
  before?: AuditedValues | null;
  after?: AuditedValues | null;
}

/**
 * Writes a change to the audit log in the unit of work of `em`: it is there if, and only if, the change is
 * (docs/domain.md#audit). Nothing is written where `before` and `after` are given and equal.
 */
export async function noteChange(context: Context, em: EntityManager, change: NotedChange): Promise<void> {
  const { before = null, after = null } = change;
  const kept = before && after ? difference(before, after) : { before, after };
  if (!kept) return;
  const actorId = context.actor?.viewerId ?? context.actor?.userId ?? null;
  em.create(AuditEntry, {
    at: context.clock.now(),
    actorId,
    actorName: actorId ? await nameOf(em, actorId) : "System",
    action: change.action,
    subjectType: change.subject.type,
    subjectId: change.subject.id,
    subjectName: change.subject.name,
    userId: change.userId,
    ...kept,
    ip: context.origin.ip,
    requestId: context.origin.requestId,
  });
}

async function nameOf(em: EntityManager, userId: string): Promise<string> {
  const [row] = await query<{ name: string }>(
    em,
    "select first_name || ' ' || last_name || ' <' || email || '>' as name from users where id = $1",
    [userId],
  );
  return row?.name ?? "Unknown";
}

function difference(
  before: AuditedValues,
  after: AuditedValues,
): { before: AuditedValues; after: AuditedValues } | null {
  const changed = Object.keys(after).filter(
    (key) => JSON.stringify(before[key] ?? null) !== JSON.stringify(after[key] ?? null),
  );
  if (changed.length === 0) return null;
  const only = (values: AuditedValues) => Object.fromEntries(changed.map((key) => [key, values[key] ?? null]));
  return { before: only(before), after: only(after) };
}
