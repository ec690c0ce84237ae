import type { PersonalData } from "#api/platform/database/personal-data.ts";

export const auditChainData: PersonalData = {
  tables: {
    audit_keys: { impersonal: "id secret" },
    audit_links: { impersonal: "number source entry_id at is_adopted seal hash" },
    unsealed_entries: { impersonal: "number source entry_id is_adopted" },
  },
};
