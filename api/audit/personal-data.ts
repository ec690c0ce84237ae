import { createBatchFunction, exportRows, type PersonalData } from "#api/platform/database/personal-data.ts";
import { SecurityEvent } from "#api/audit/security-events/security-event.entity.ts";

export const auditData: PersonalData = {
  erasure: [
    {
      name: "audit-subjects",
      title: "Audit entries about the user",
      effect: "anonymized",
      table: "audit_entries",
      run: createBatchFunction("erase_audit_subject"),
    },
    {
      name: "audit-actors",
      title: "Audit entries by the user",
      effect: "anonymized",
      table: "audit_entries",
      run: createBatchFunction("erase_audit_actor"),
    },
  ],
};

export const securityEventData: PersonalData = {
  tables: { security_events: { erasedBy: "security-events" } },
  erasure: [
    {
      name: "security-events",
      title: "Security events",
      effect: "anonymized",
      table: "security_events",
      run: createBatchFunction("erase_security_events"),
    },
  ],
  exported: {
    securityEvents: exportRows(
      SecurityEvent,
      { of: (userId) => ({ userId }), orderBy: { at: "desc", id: "desc" } },
      // The address belongs to an admin who acted on the account.
      ({ at, type, actorId, address, count }) => ({ at, type, address: actorId ? "" : address, count }),
    ),
  },
};
