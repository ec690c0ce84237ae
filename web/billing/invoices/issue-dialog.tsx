import { Stack, Text } from "@mantine/core";
import { useInvoicedCustomerQuery, useIssueInvoiceMutation, useManualInvoiceQuery } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { formatError } from "#web/platform/server-error.ts";
import { useLastValue } from "#web/platform/use-last-value.ts";
import { ErrorState } from "#web/ui/message-state.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { AppDialog, ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import type { InvoiceDialogProps } from "./discard-dialog.tsx";
import { InvoiceSummary } from "./invoice-summary.tsx";

/** Confirmation dialog for issuing a draft. Shows its amounts and effects first. */
export function IssueDialog(props: InvoiceDialogProps) {
  const shown = useLastValue(props.invoice);
  const [issueInvoice] = useIssueInvoiceMutation();
  const id = shown?.manualInvoiceId ?? "";
  const userId = shown?.userId ?? "";
  const opened = props.invoice !== null;
  const draft = useManualInvoiceQuery({ variables: { id }, skip: !opened, fetchPolicy: "network-only" });
  const customer = useInvoicedCustomerQuery({ variables: { userId }, skip: !opened });
  const invoice = draft.data?.manualInvoice;

  async function issue() {
    if (!invoice) return;
    notify.clearErrors();
    try {
      const { data } = await issueInvoice({ variables: { id, revision: invoice.revision } });
      notify.success(`Invoice ${data?.issueInvoice.number} has been issued and emailed.`);
    } catch (error) {
      notify.failure(error, "Unable to issue the invoice.");
    }
    props.onClose();
    props.onDone();
  }

  if (!invoice || !customer.data)
    return (
      <AppDialog opened={opened} title="Issue invoice" onClose={props.onClose}>
        {draft.error ? (
          <ErrorState message={formatError(draft.error, "Unable to load the draft.")} />
        ) : (
          <LoadingBlock label="Loading the draft" />
        )}
      </AppDialog>
    );
  return (
    <ConfirmDialog
      opened={opened}
      title="Issue invoice"
      confirmLabel="Issue invoice"
      onConfirm={issue}
      onCancel={props.onClose}
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
