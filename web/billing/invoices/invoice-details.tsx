import { Button, DataList, Text } from "@mantine/core";
import type { InvoiceDetailsFieldsFragment } from "#web/generated/graphql.ts";
import { Section } from "#web/ui/page-layout.tsx";
import { useOpenDialog } from "#web/ui/dialogs.tsx";

/** Shows the details on the customer's future tax invoices, with a button to edit them. */
export function InvoiceDetails({ details }: { details: InvoiceDetailsFieldsFragment }) {
  const openDialog = useOpenDialog();
  const { firstName, lastName, companyName, abn, unitNumber, streetNumber, streetName, city, state, postCode } =
    details;
  const street = [unitNumber && `Unit ${unitNumber.replace(/^unit\s+/i, "")},`, streetNumber, streetName];
  const town = [city, state, postCode];

  return (
    <Section
      title="Billing details"
      actions={
        <Button
          variant="default"
          size="sm"
          onClick={() => openDialog(() => import("./invoice-details-dialog.tsx"), { details })}
        >
          Edit details
        </Button>
      }
    >
      <DataList gap="xs" size="md" mb="md" style={{ overflowWrap: "anywhere" }}>
        <DataList.Item>
          <DataList.ItemLabel>Name</DataList.ItemLabel>
          <DataList.ItemValue>
            {companyName && <div>{companyName}</div>}
            {firstName} {lastName}
          </DataList.ItemValue>
        </DataList.Item>
        <DataList.Item>
          <DataList.ItemLabel>ABN</DataList.ItemLabel>
          <DataList.ItemValue c={abn ? undefined : "dimmed"}>{abn || "None given"}</DataList.ItemValue>
        </DataList.Item>
        <DataList.Item>
          <DataList.ItemLabel>Address</DataList.ItemLabel>
          <DataList.ItemValue>
            <div>{street.filter(Boolean).join(" ")}</div>
            <div>{town.filter(Boolean).join(" ")}</div>
            {details.country}
          </DataList.ItemValue>
        </DataList.Item>
      </DataList>
      <Text size="sm" c="dimmed">
        These details will appear on future invoices. Issued invoices do not change.
      </Text>
    </Section>
  );
}
