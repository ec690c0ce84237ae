import { randomUUID } from "node:crypto";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { recordChange, recordChanges, type RecordedChange } from "#api/audit/change-log/record-change.ts";
import { flushSecurityEvents, reportSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { createContext } from "#api/platform/context.ts";
import type { TestApp } from "./test-app.ts";

/** Returns the audit log entries about a subject, oldest first. */
export const listAuditEntries = async (app: TestApp, subjectId: string): Promise<AuditEntry[]> =>
  app.services.orm.em.fork().find(AuditEntry, { subjectId }, { orderBy: { at: "asc", id: "asc" } });

/** Records a change by an admin at a time in the past. */
export async function recordChangeAt(app: TestApp, admin: User, at: Date, change: RecordedChange): Promise<void> {
  const actor = { userId: admin.id, sessionId: randomUUID(), role: "admin" } as const;
  const context = createContext(app.services, { actor, origin: { ip: "203.0.113.9", requestId: "r-1" } });
  const { em } = context;
  await recordChange({ ...context, em, clock: { now: () => at } }, em, change);
  await em.flush();
}

/** Records three changes of a user by an admin. */
export async function recordAudit(app: TestApp, admin: User, user: User): Promise<void> {
  const actor = { userId: admin.id, sessionId: randomUUID(), role: "admin" } as const;
  const context = createContext(app.services, { actor, origin: { ip: "203.0.113.9", requestId: "r-1" } });
  const { em } = context;
  const subject = { type: "user", id: user.id, name: `${user.firstName} ${user.lastName}` } as const;
  const values = { before: { b: 1.5, a: null }, after: { b: 2, a: "é" } };
  const change = { action: "update-user", subject, userId: user.id, ...values } as const;
  await recordChange(context, em, change);
  await em.flush();
  await recordChanges(context, em, "Grace Hopper", [change, change]);
}

/** Records a failed sign-in of a user. */
export async function reportFailedSignIn(app: TestApp, user: User): Promise<void> {
  const context = createContext(app.services, { origin: { ip: "203.0.113.9" } });
  const detail = { client: "portal", reason: "wrong-password" } as const;
  reportSecurityEvent(context, { type: "sign-in.failed", userId: user.id, detail });
  await flushSecurityEvents(app.services);
}
