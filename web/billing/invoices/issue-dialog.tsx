import { Stack, Text } from "@mantine/core";
import { useInvoicedCustomerQuery, useIssueInvoiceMutation, useManualInvoiceQuery } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { AppDialog, ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { InvoiceSummary } from "./invoice-summary.tsx";
import type { InvoiceDialogProps } from "./void-dialog.tsx";

/** Confirmation dialog for issuing a draft. Shows its amounts and effects first. */
export default function IssueDialog({ invoice: row, onDone, opened, onClose }: InvoiceDialogProps) {
  const [issueInvoice] = useIssueInvoiceMutation();
  const draft = useManualInvoiceQuery({ variables: { id: row.manualInvoiceId ?? "" }, fetchPolicy: "network-only" });
  const customer = useInvoicedCustomerQuery({ variables: { userId: row.userId ?? "" } });
  const invoice = draft.data?.manualInvoice;

  async function issue() {
    if (!invoice) return;
    notify.clearErrors();
    try {
      const { data } = await issueInvoice({ variables: { id: invoice.id, revision: invoice.revision } });
      notify.success(`Invoice ${data?.issueInvoice.number} has been issued and emailed.`);
    } catch (error) {
      notify.failure(error, "Unable to issue the invoice.");
    }
    onClose();
    onDone();
  }

  if (!invoice || !customer.data)
    return (
      <AppDialog opened={opened} title="Issue invoice" onClose={onClose}>
        <Loaded<unknown>
          query={invoice ? customer : draft}
          failure="Unable to load the draft."
          loading="Loading the draft"
        />
      </AppDialog>
    );
  return (
    <ConfirmDialog
      opened={opened}
      title="Issue invoice"
      confirmLabel="Issue invoice"
      onConfirm={issue}
      onCancel={onClose}
    >
      <Stack gap="sm">
        <InvoiceSummary customer={customer.data.user} lines={invoice.lines} draft={invoice} />
        <Text size="sm" c="dimmed">
          An issued invoice can’t be changed, only voided.
        </Text>
      </Stack>
    </ConfirmDialog>
  );
}
