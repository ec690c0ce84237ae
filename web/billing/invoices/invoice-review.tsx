import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { getEndOfDay } from "#schema/days.ts";
import type { ManualInvoiceInput } from "#web/generated/graphql.ts";
import { DialogActions } from "#web/ui/confirm-dialog.tsx";
import { InvoiceSummary, type InvoicedCustomer } from "./invoice-summary.tsx";

interface InvoiceReviewProps {
  customer: InvoicedCustomer;
  input: ManualInvoiceInput;
  onBack: () => void;
  onSave: () => Promise<void>;
  onIssue: () => Promise<void>;
}

/** Shows what issuing an invoice does, and saves it as a draft or issues it. */
export function InvoiceReview({ customer, input, onBack, onSave, onIssue }: InvoiceReviewProps) {
  const [running, setRunning] = useState<"save" | "issue" | null>(null);
  const lines = [input.lines].flat();
  const run = (kind: "save" | "issue", work: () => Promise<void>) => {
    if (running) return;
    setRunning(kind);
    void work().finally(() => setRunning(null));
  };
  return (
    <Stack gap="sm">
      <InvoiceSummary
        customer={customer}
        lines={lines}
        draft={{
          dueAt: input.dueDay ? getEndOfDay(input.dueDay).toISOString() : null,
          purchaseOrder: input.purchaseOrder ?? null,
          licenceTerms: input.licence ?? null,
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
        <Button
          loading={running === "issue"}
          disabled={running === "save"}
          onClick={() => run("issue", onIssue)}
          data-autofocus
        >
          Issue invoice
        </Button>
      </DialogActions>
    </Stack>
  );
}
