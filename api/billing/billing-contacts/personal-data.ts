import { createBatchStatement, type PersonalData } from "#api/platform/database/personal-data.ts";
import { BillingContact } from "./billing-contact.entity.ts";

export const billingContactData: PersonalData = {
  tables: {
    billing_contacts: { deleted: "billing-contacts" },
  },
  erasure: [
    {
      name: "billing-contacts",
      title: "Billing contact and second recipient of invoices",
      effect: "deleted",
      table: "billing_contacts",
      run: createBatchStatement(
        `delete from billing_contacts where id in (select id from billing_contacts where user_id = :user limit :limit)`,
      ),
    },
  ],
  exported: {
    async billingContact({ em }, user) {
      const found = await em.find(BillingContact, { user: user.id });
      return found.map(({ name, email, secondEmail, purchaseOrder }) => ({ name, email, secondEmail, purchaseOrder }));
    },
  },
};
