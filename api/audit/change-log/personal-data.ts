import { createBatchFunction, keepReasons, type PersonalData } from "#api/platform/database/personal-data.ts";

export const auditData: PersonalData = {
  tables: {
    audit_entries: {
      erased: {
        "audit-subjects": "subject_name before after subject_salt",
        "audit-actors": "actor_name ip actor_salt",
      },
      kept: { [keepReasons.staffLog]: "actor_id user_id subject_id request_id" },
      impersonal: "id at action subject_type bulk_run_id subject_hash actor_hash seal",
    },
  },
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
