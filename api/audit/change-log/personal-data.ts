import { createBatchFunction, type PersonalData } from "#api/platform/database/personal-data.ts";

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
