import { Button, Text } from "@mantine/core";
import { formatAddressLines } from "#schema/address-forms.ts";
import type { InvoiceDetailsFieldsFragment } from "#web/generated/graphql.ts";
import { Facts, noneGiven } from "#web/ui/fact-cards.tsx";
import { Section } from "#web/ui/page-layout.tsx";
import { useOpenDialog } from "#web/ui/dialogs.tsx";

interface InvoiceDetailsProps {
  details: InvoiceDetailsFieldsFragment;
  /** Reads the details as they are now. */
  read: () => Promise<InvoiceDetailsFieldsFragment | undefined>;
}

/** Shows the details on the customer's future tax invoices, with a button to edit them. */
export function InvoiceDetails({ details, read }: InvoiceDetailsProps) {
  const openDialog = useOpenDialog();
  const { firstName, lastName, companyName, abn } = details;

  async function edit() {
    // Another tab may have changed the profile since this page was loaded.
    const latest = await read().catch(() => undefined);
    openDialog(() => import("./invoice-details-dialog.tsx"), { details: latest ?? details });
  }

  return (
    <Section
      title="Billing details"
      actions={
        <Button variant="default" size="sm" onClick={() => void edit()}>
          Edit details
        </Button>
      }
    >
      <Facts
        gap="xs"
        size="md"
        mb="md"
        facts={[
          [
            "Name",
            <>
              {companyName && <div>{companyName}</div>}
              {firstName} {lastName}
            </>,
          ],
          ["ABN", abn || noneGiven],
          [
            "Address",
            formatAddressLines(details).map((line, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- a city and its country can have the same name
              <div key={index}>{line}</div>
            )),
          ],
        ]}
      />
      <Text size="sm" c="dimmed">
        These details will appear on future invoices. Issued invoices do not change.
      </Text>
    </Section>
  );
}
