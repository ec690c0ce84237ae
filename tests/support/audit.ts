import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import type { TestApp } from "./test-app.ts";

/** Returns the audit log entries about a subject, oldest first. */
export async function listAuditEntries(app: TestApp, subjectId: string): Promise<AuditEntry[]> {
  return app.services.orm.em.fork().find(AuditEntry, { subjectId }, { orderBy: { at: "asc", id: "asc" } });
}
