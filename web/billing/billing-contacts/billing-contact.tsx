import { Button, Text } from "@mantine/core";
import type { BillingContactValues } from "#schema/billing-details.ts";
import {
  type BillingContactFieldsFragment,
  useBillingContactQuery,
  useMyBillingContactQuery,
  useUpdateBillingContactMutation,
  useUpdateMyBillingContactMutation,
} from "#web/generated/graphql.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { Loaded, type LoadedQuery } from "#web/ui/loaded.tsx";
import { Facts, noneGiven } from "#web/ui/fact-cards.tsx";
import { Section } from "#web/ui/page-layout.tsx";

/** Shows who gets the customer's own invoices, with a button to edit it. */
export function MyBillingContact() {
  const query = useMyBillingContactQuery();
  const [update] = useUpdateMyBillingContactMutation();
  return (
    <BillingContactSection
      contact={query.data?.myBillingContact}
      query={query}
      read={async () => (await query.refetch()).data?.myBillingContact}
      canEdit
      onSave={(input) => update({ variables: { input } })}
    />
  );
}

/** Shows staff who gets a customer's invoices, with a button to edit it. */
export function CustomerBillingContact({ userId }: { userId: string }) {
  const query = useBillingContactQuery({ variables: { userId } });
  const [update] = useUpdateBillingContactMutation();
  const canEdit = useStaffRole("finance");
  return (
    <BillingContactSection
      contact={query.data?.billingContact}
      query={query}
      read={async () => (await query.refetch()).data?.billingContact}
      canEdit={canEdit}
      onSave={(input) => update({ variables: { userId, input } })}
    />
  );
}

interface BillingContactSectionProps {
  contact: BillingContactFieldsFragment | undefined;
  query: LoadedQuery<unknown>;
  /** Reads the contact as it is now. */
  read: () => Promise<BillingContactFieldsFragment | undefined>;
  canEdit: boolean;
  onSave: (values: BillingContactValues) => Promise<unknown>;
}

const fields = ["name", "email", "secondEmail", "purchaseOrder"] as const;

function BillingContactSection({ contact, query, read, canEdit, onSave }: BillingContactSectionProps) {
  const openDialog = useOpenDialog();
  async function save(values: BillingContactValues) {
    // Another tab may have changed the other fields since this page was loaded.
    const latest = await read();
    const unchanged = fields.filter((field) => (values[field] ?? "") === contact?.[field]);
    const kept = unchanged.map((field) => [field, latest?.[field] ?? values[field]]);
    await onSave({ ...values, ...Object.fromEntries(kept) });
    await query.refetch().catch(() => undefined);
  }
  return (
    <Section
      title="Billing contact"
      actions={
        contact &&
        canEdit && (
          <Button
            variant="default"
            size="sm"
            onClick={() => openDialog(() => import("./billing-contact-dialog.tsx"), { contact, onSave: save })}
          >
            Edit billing contact
          </Button>
        )
      }
    >
      {contact ? (
        <>
          <Facts
            gap="xs"
            size="md"
            mb="md"
            labelWidth="11rem"
            facts={[
              ["Name and email", [contact.name, contact.email].filter(Boolean).join(", ") || noneGiven],
              ["Second recipient", contact.secondEmail || noneGiven],
              ["Purchase order number", contact.purchaseOrder || noneGiven],
            ]}
          />
          <Text size="sm" c="dimmed">
            Invoices, reminders and receipts go to these addresses too. The purchase order number is on new invoices.
          </Text>
        </>
      ) : (
        <Loaded query={query} failure="Unable to load the billing contact." loading="Loading the billing contact" />
      )}
    </Section>
  );
}
