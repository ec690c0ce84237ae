import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { ManualInvoiceFormValues } from "#schema/manual-invoice-form.ts";
import {
  type ManualInvoiceFieldsFragment,
  useCreateInvoiceMutation,
  useInvoicedCustomerQuery,
  useIssueInvoiceMutation,
  useManualInvoiceQuery,
  useUpdateInvoiceMutation,
  type ManualInvoiceInput,
} from "#web/generated/graphql.ts";
import { createRequestKey } from "#web/billing/request-key.ts";
import { notify } from "#web/platform/notifications.ts";
import { AppDialog, type DialogControl, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { useDialogBusy } from "#web/ui/dialog-busy.ts";
import { Loaded } from "#web/ui/loaded.tsx";
import { InvoiceForm } from "./invoice-form.tsx";
import { toFormValues, toInput } from "./invoice-form-values.ts";
import { type InvoicedCustomer, InvoiceSummary } from "./invoice-summary.tsx";
import { Button, Stack, Text } from "@mantine/core";
import { getEndOfDay } from "#schema/days.ts";

interface InvoiceDialogProps extends DialogControl {
  userId: string;
  /** Null creates an invoice. */
  invoiceId: string | null;
  onDone: () => void;
}

/** Dialog for writing an invoice: first its details, then what issuing it does. */
export default function InvoiceDialog({ userId, invoiceId, onDone, ...dialog }: InvoiceDialogProps) {
  const customer = useInvoicedCustomerQuery({ variables: { userId }, fetchPolicy: "network-only" });
  const draft = useManualInvoiceQuery({
    variables: { id: invoiceId ?? "" },
    skip: invoiceId === null,
    fetchPolicy: "network-only",
  });
  const [failed = customer] = [customer, draft].filter(({ error }) => error);
  return (
    <AppDialog {...dialog} title={invoiceId ? "Edit draft" : "Create Invoice"} size="lg">
      {customer.data && (draft.data || invoiceId === null) ? (
        <InvoiceSteps
          customer={customer.data.user}
          draft={draft.data?.manualInvoice ?? null}
          onClose={dialog.onClose}
          onDone={onDone}
        />
      ) : (
        <Loaded<unknown> query={failed} failure="Unable to load the customer." loading="Loading the customer" tall />
      )}
    </AppDialog>
  );
}

interface InvoiceStepsProps extends Pick<InvoiceDialogProps, "onClose" | "onDone"> {
  customer: InvoicedCustomer;
  draft: ManualInvoiceFieldsFragment | null;
}

function InvoiceSteps({ customer, draft, onClose, onDone }: InvoiceStepsProps) {
  // Each try to create the draft is the same request.
  const [key] = useState(createRequestKey);
  const [values, setValues] = useState<ManualInvoiceFormValues | null>(null);
  const [typed] = useState(() => toFormValues(customer, draft));
  const [saved, setSaved] = useState<{ id: string; revision: number } | null>(draft);
  const [createInvoice] = useCreateInvoiceMutation();
  const [updateInvoice] = useUpdateInvoiceMutation();
  const [issueInvoice] = useIssueInvoiceMutation();
  const form = useRef<HTMLDivElement>(null);

  /** Shows the form again. The pressed button disappears. */
  function goBack() {
    flushSync(() => setValues(null));
    form.current?.querySelector("input")?.focus();
  }

  async function save(entered: ManualInvoiceFormValues) {
    const input = toInput(entered);
    const stored = saved
      ? (await updateInvoice({ variables: { id: saved.id, revision: saved.revision, input } })).data?.updateInvoice
      : (await createInvoice({ variables: { userId: customer.id, key, input } })).data?.createInvoice;
    if (!stored) throw new Error("the draft was not returned");
    setSaved(stored);
    return stored;
  }

  async function finish(entered: ManualInvoiceFormValues, isIssued: boolean) {
    notify.clearErrors();
    try {
      const { id, revision } = await save(entered);
      if (!isIssued) notify.success("The draft has been saved.");
      else {
        const { data } = await issueInvoice({ variables: { id, revision } });
        notify.success(`Invoice ${data?.issueInvoice.number} has been issued and emailed.`);
      }
      onClose();
    } catch (error) {
      notify.failure(error, isIssued ? "Unable to issue the invoice." : "Unable to save the draft.");
      goBack();
    }
    onDone();
  }

  return (
    <>
      {/* The form stays while the review is shown, so that Back shows what was typed. */}
      <div ref={form} hidden={values !== null}>
        <InvoiceForm customer={customer} values={typed} onContinue={setValues} onCancel={onClose} />
      </div>
      {values && (
        <InvoiceReview
          customer={customer}
          input={toInput(values)}
          onBack={goBack}
          onSave={() => finish(values, false)}
          onIssue={() => finish(values, true)}
        />
      )}
    </>
  );
}

interface InvoiceReviewProps {
  customer: InvoicedCustomer;
  input: ManualInvoiceInput;
  onBack: () => void;
  onSave: () => Promise<void>;
  onIssue: () => Promise<void>;
}

/** Shows what issuing an invoice does, and saves it as a draft or issues it. */
function InvoiceReview({ customer, input, onBack, onSave, onIssue }: InvoiceReviewProps) {
  const [running, setRunning] = useState<"save" | "issue" | null>(null);
  useDialogBusy(running !== null);
  // The pressed button is hidden, and screen readers start with what is issued.
  const review = useRef<HTMLDivElement>(null);
  useEffect(() => review.current?.focus(), []);
  const lines = [input.lines].flat();
  const run = (kind: "save" | "issue", work: () => Promise<void>) => {
    if (running) return;
    setRunning(kind);
    void work().finally(() => setRunning(null));
  };
  return (
    <Stack ref={review} tabIndex={-1} gap="sm">
      <InvoiceSummary
        customer={customer}
        lines={lines}
        draft={{
          dueAt: input.dueDay ? getEndOfDay(input.dueDay).toISOString() : null,
          purchaseOrder: input.purchaseOrder ?? null,
          licenceTerms: input.licence,
        }}
      />
      <Text size="sm" c="dimmed">
        An issued invoice can’t be changed, only voided. A draft has no number and isn’t sent.
      </Text>
      <DialogActions>
        <Button variant="subtle" onClick={onBack} disabled={running !== null}>
          Back
        </Button>
        <Button
          variant="default"
          loading={running === "save"}
          disabled={running === "issue"}
          onClick={() => run("save", onSave)}
        >
          Save draft
        </Button>
        <Button loading={running === "issue"} disabled={running === "save"} onClick={() => run("issue", onIssue)}>
          Issue invoice
        </Button>
      </DialogActions>
    </Stack>
  );
}
