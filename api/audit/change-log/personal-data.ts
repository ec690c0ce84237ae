import {
  ERASED,
  FORMER_STAFF,
  keepReasons,
  createBatchStatement,
  type PersonalData,
} from "#api/platform/personal-data.ts";

export const auditData: PersonalData = {
  tables: {
    audit_entries: {
      erased: { "audit-subjects": "subject_name before after", "audit-actors": "actor_name ip" },
      kept: { [keepReasons.staffLog]: "actor_id user_id subject_id request_id" },
      impersonal: "id at action subject_type bulk_run_id",
    },
  },
  erasure: [
    {
      name: "audit-subjects",
      title: "Audit entries about the user",
      effect: "anonymized",
      table: "audit_entries",
      run: createBatchStatement(
        `update audit_entries set subject_name = '${ERASED}', before = null, after = null where id in (
           select id from audit_entries
            where user_id = :user and (subject_name <> '${ERASED}' or before is not null or after is not null)
            limit :limit)`,
      ),
    },
    {
      name: "audit-actors",
      title: "Audit entries by the user",
      effect: "anonymized",
      table: "audit_entries",
      run: createBatchStatement(
        `update audit_entries set actor_name = '${FORMER_STAFF}', ip = '' where id in (
           select id from audit_entries where actor_id = :user and actor_name <> '${FORMER_STAFF}' limit :limit)`,
      ),
    },
  ],
};
