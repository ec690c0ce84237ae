import { Button, DataList, Text } from "@mantine/core";
import { useState } from "react";
import type { BillingContactValues } from "#schema/billing-details.ts";
import {
  type BillingContactFieldsFragment,
  useBillingContactQuery,
  useMyBillingContactQuery,
  useUpdateBillingContactMutation,
  useUpdateMyBillingContactMutation,
} from "#web/generated/graphql.ts";
import { formatError } from "#web/platform/server-error.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { lazyDialog } from "#web/ui/lazy-part.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { Section } from "#web/ui/page-layout.tsx";

const BillingContactDialog = lazyDialog(
  () => import("./billing-contact-dialog.tsx").then((file) => file.BillingContactDialog),
  ({ opened }) => opened,
);

/** Shows who gets the customer's own invoices, with a button to edit it. */
export function MyBillingContact() {
  const { data, error, refetch } = useMyBillingContactQuery({ fetchPolicy: "cache-and-network" });
  const [update] = useUpdateMyBillingContactMutation();
  return (
    <BillingContactSection
      contact={data?.myBillingContact}
      error={error}
      canEdit
      onSave={async (input) => {
        await update({ variables: { input } });
        await refetch();
      }}
    />
  );
}

/** Shows staff who gets a customer's invoices, with a button to edit it. */
export function CustomerBillingContact({ userId }: { userId: string }) {
  const { data, error, refetch } = useBillingContactQuery({ variables: { userId }, fetchPolicy: "cache-and-network" });
  const [update] = useUpdateBillingContactMutation();
  const canEdit = useStaffRole("finance");
  return (
    <BillingContactSection
      contact={data?.billingContact}
      error={error}
      canEdit={canEdit}
      onSave={async (input) => {
        await update({ variables: { userId, input } });
        await refetch();
      }}
    />
  );
}

interface BillingContactSectionProps {
  contact: BillingContactFieldsFragment | undefined;
  error: Error | undefined;
  canEdit: boolean;
  onSave: (values: BillingContactValues) => Promise<void>;
}

function BillingContactSection({ contact, error, canEdit, onSave }: BillingContactSectionProps) {
  const [opened, setOpened] = useState(false);
  const facts = contact && [
    ["Billing contact", [contact.name, contact.email].filter(Boolean).join(", ")],
    ["Second recipient", contact.secondEmail],
    ["Purchase order number", contact.purchaseOrder],
  ];
  return (
    <Section
      title="Billing contact"
      actions={
        contact &&
        canEdit && (
          <Button variant="default" size="sm" onClick={() => setOpened(true)}>
            Edit billing contact
          </Button>
        )
      }
    >
      {facts ? (
        <>
          <DataList orientation="vertical" gap="xs" size="md" mb="md" style={{ overflowWrap: "anywhere" }}>
            {facts.map(([name, value]) => (
              <DataList.Item key={name}>
                <DataList.ItemLabel>{name}</DataList.ItemLabel>
                <DataList.ItemValue c={value ? undefined : "dimmed"}>{value || "None given"}</DataList.ItemValue>
              </DataList.Item>
            ))}
          </DataList>
          <Text size="sm" c="dimmed">
            Invoices, reminders and receipts go to these addresses too. The purchase order number is on new invoices.
          </Text>
        </>
      ) : error ? (
        <ErrorState message={formatError(error, "Unable to load the billing contact.")} />
      ) : (
        <LoadingBlock label="Loading the billing contact" />
      )}
      {contact && (
        <BillingContactDialog opened={opened} contact={contact} onSave={onSave} onClose={() => setOpened(false)} />
      )}
    </Section>
  );
}
