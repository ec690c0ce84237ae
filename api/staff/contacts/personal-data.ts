import { createBatchStatement, type PersonalData } from "#api/platform/database/personal-data.ts";

export const contactData: PersonalData = {
  tables: {
    contacts: { deleted: "contacts" },
  },
  erasure: [
    {
      name: "contacts",
      title: "Contacts, including entries with this address at other accounts",
      effect: "deleted",
      table: "contacts",
      run: createBatchStatement(
        `delete from contacts where id in (
           select id from contacts
            where user_id = :user or lower(email) = any(:addresses) and added_at <= :requestedAt limit :limit)`,
      ),
    },
  ],
};
