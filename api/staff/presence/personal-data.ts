import { createBatchStatement, type PersonalData } from "#api/platform/database/personal-data.ts";

export const openFormData: PersonalData = {
  tables: {
    open_forms: { deleted: "open-forms" },
  },
  erasure: [
    {
      name: "open-forms",
      title: "Forms open in a browser",
      effect: "deleted",
      table: "open_forms",
      run: createBatchStatement(
        `delete from open_forms where (subject_id, tab_id) in (
           select subject_id, tab_id from open_forms where user_id = :user or subject_id = :user limit :limit)`,
      ),
    },
  ],
};
