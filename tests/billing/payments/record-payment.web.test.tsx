import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { fill } from "#tests/support/fill-form.ts";
import { mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import RecordPaymentDialog from "#web/billing/payments/record-payment-dialog.tsx";
import {
  type InvoiceRowFragment,
  ManualInvoiceDocument,
  PaymentPreviewDocument,
  RecordPaymentDocument,
  type RecordPaymentMutationVariables,
} from "#web/generated/graphql.ts";

const invoice = { number: "100024", customerName: "Ada Byron", balanceCents: 110_000, manualInvoiceId: "m-1" };

test("sends each try of a dialog with one key, and shows what was recorded before the amount was changed", async () => {
  startAs("admin", { staffRoles: ["finance"] });
  const sent: RecordPaymentMutationVariables[] = [];
  const recording = mockQuery(RecordPaymentDocument, (given) => sent.push(given as RecordPaymentMutationVariables) > 0);
  const recorded = "This was already sent with other values, and a payment of A$1,100.00 was recorded.";
  const [onClose, onDone] = [vi.fn(), vi.fn()];
  const { user } = renderMocked(
    [
      mockQuery(ManualInvoiceDocument, { id: "m-1" }, 3).returns({ manualInvoice: { balanceCents: 110_000 } }),
      mockQuery(PaymentPreviewDocument, () => true, 3).returns({}),
      recording.fails("UNAVAILABLE", "Try again."),
      recording.fails("CONFLICT", recorded, { reason: "REQUEST_KEY_USED" }),
      recording.returns({ recordPayment: { invoice: { status: "PAID", number: "100025" } } }),
    ],
    <RecordPaymentDialog opened invoice={invoice as InvoiceRowFragment} onClose={onClose} onDone={onDone} />,
  );
  for (const [amount, outcome] of [
    ["1,100.00", "Try again."],
    ["400.00", recorded],
    // The invoice was re-issued in the meantime.
    ["1,100.00", "Invoice 100025 is paid. The receipt was emailed."],
  ] as const) {
    await screen.findByLabelText("Amount");
    fill({ Amount: amount });
    await user.click(screen.getByRole("button", { name: "Continue" }));
    await user.click(await screen.findByRole("button", { name: "Record Payment" }));
    expect(await screen.findByText(outcome)).toBeTruthy();
  }
  expect(sent.map(({ input }) => input.amountCents)).toEqual([110_000, 40_000, 110_000]);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  // The list is read again after each try, so that staff see the payment that was recorded.
  expect([onDone.mock.calls.length, onClose.mock.calls.length]).toEqual([3, 1]);
});

test("says that an overpayment of a deleted account can't be used", async () => {
  startAs("admin", { staffRoles: ["finance"] });
  const paymentPreview = { appliedCents: 110_000, creditCents: 5_000, balanceCents: 0, isErased: true };
  const { user } = renderMocked(
    [
      mockQuery(ManualInvoiceDocument, { id: "m-1" }).returns({ manualInvoice: { balanceCents: 110_000 } }),
      mockQuery(PaymentPreviewDocument, () => true).returns({ paymentPreview }),
    ],
    <RecordPaymentDialog opened invoice={invoice as InvoiceRowFragment} onClose={vi.fn()} onDone={vi.fn()} />,
  );
  await screen.findByLabelText("Amount");
  fill({ Amount: "1,150.00" });
  await user.click(screen.getByRole("button", { name: "Continue" }));
  expect(await screen.findByText(/A\$50\.00 is more .* credit, which no invoice can use any more\./)).toBeTruthy();
});
