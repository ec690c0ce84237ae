import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import type { ErrorCode } from "#schema/error-codes.ts";
import { mockCardEntry, mockSimulator } from "#tests/billing/subscriptions/mock-portal.ts";
import {
  CompleteInvoicePaymentDocument,
  PayInvoiceDocument,
  type PayInvoiceMutationVariables,
  SavedCardDocument,
} from "#web/generated/graphql.ts";
import PayInvoiceDialog from "#web/billing/my-invoices/pay-invoice-dialog.tsx";

const invoice = { number: "100024", balanceCents: 110_000, manualInvoiceId: "invoice-1" };
const savedCard = { __typename: "SavedCard", brand: "visa", last4: "4242" };

beforeEach(() => startAs("regular"));

/** Opens the dialog. Each payment gets the next outcome, or fails with an error's code. */
function open(outcomes: (object | ErrorCode)[], saved: object | null = savedCard, delay = 0, others: Mock[] = []) {
  const sent: PayInvoiceMutationVariables[] = [];
  const payment = (outcome: object | ErrorCode) => {
    const paying = mockQuery(PayInvoiceDocument, (given) => Boolean(sent.push(given as PayInvoiceMutationVariables)));
    if (typeof outcome === "string") return paying.fails(outcome, "Please try again.");
    const payInvoice = { state: "DONE", message: null, id: null, clientSecret: null, ...outcome };
    return paying.returns({ payInvoice: { __typename: "PaymentOutcome", ...payInvoice } });
  };
  const mocks: Mock[] = [
    mockCardEntry(),
    mockQuery(SavedCardDocument).returns({ savedCard: saved }),
    ...outcomes.map((outcome) => ({ ...payment(outcome), delay })),
    ...others,
  ];
  const onPaid = vi.fn();
  const onClose = vi.fn();
  const view = renderMocked(mocks, <PayInvoiceDialog opened invoice={invoice} onPaid={onPaid} onClose={onClose} />);
  return { view, sent, onPaid, onClose };
}

test("pays with the saved card, and with a new key after the bank declined it", async () => {
  const { view, sent, onPaid, onClose } = open([{ state: "DECLINED", message: "Your card was declined." }, {}]);
  const dialog = within(await screen.findByRole("dialog", { name: "Pay invoice 100024" }));
  expect(await dialog.findByRole("radio", { name: "Visa ending 4242" })).toBeTruthy();
  await view.user.click(dialog.getByRole("button", { name: "Pay A$1,100.00" }));
  expect(await screen.findByText("Your card was declined.")).toBeTruthy();
  expect(onPaid).not.toHaveBeenCalled();
  await view.user.click(dialog.getByRole("button", { name: "Pay A$1,100.00" }));
  expect(await screen.findByText("Thank you. Your payment of A$1,100.00 has been received.")).toBeTruthy();
  expect([onPaid.mock.calls.length, onClose.mock.calls.length]).toEqual([1, 1]);
  const [first, second] = sent.map(({ input }) => input);
  expect(first).toMatchObject({ invoiceId: "invoice-1", paymentMethodId: null, expectedBalanceCents: 110_000 });
  expect(second?.key).not.toBe(first?.key);
});

test("stays open with the same card while the card is charged", async () => {
  const { view, onPaid, onClose } = open([{}], savedCard, 500);
  await view.user.click(await screen.findByRole("button", { name: "Pay A$1,100.00" }));
  await view.user.click(screen.getByRole("radio", { name: "Another card" }));
  await view.user.click(screen.getByRole("button", { name: "Cancel" }));
  await view.user.keyboard("{Escape}");
  expect([onPaid.mock.calls.length, onClose.mock.calls.length]).toEqual([0, 0]);
  expect(screen.getByRole("radio", { name: "Visa ending 4242", checked: true })).toBeTruthy();
  await waitFor(() => expect([onPaid.mock.calls.length, onClose.mock.calls.length]).toEqual([1, 1]));
});

test("continues the same payment after the provider was unreachable, and starts a new one with another card", async () => {
  const { view, sent, onPaid } = open(["UNAVAILABLE", "UNAVAILABLE", {}]);
  const pay = async () => view.user.click(await screen.findByRole("button", { name: "Pay A$1,100.00" }));
  await pay();
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("Please try again."));
  await pay();
  await waitFor(() => expect(sent).toHaveLength(2));
  await view.user.click(screen.getByRole("radio", { name: "Another card" }));
  await view.user.click(screen.getByRole("radio", { name: "Visa ending 4242" }));
  await pay();
  await waitFor(() => expect(onPaid).toHaveBeenCalledOnce());
  const [first, second, third] = sent.map(({ input }) => input.key);
  expect([second === first, third === first]).toEqual([true, false]);
});

test("pays again with the same key after the outcome at the bank was lost, and says if the money became credit", async () => {
  mockSimulator({ body: {} });
  const atBank = { state: "NEEDS_AUTHENTICATION", id: "payment-1", clientSecret: "pi_1_secret_x" };
  const message = "Invoice 100024 was paid or cancelled in the meantime.";
  const completing = mockQuery(CompleteInvoicePaymentDocument, { id: "payment-1" });
  const completed = completing.returns({ completeInvoicePayment: { state: "DONE", message } });
  const { view, sent, onPaid } = open([atBank, atBank], savedCard, 0, [completing.fails(), completed]);
  const payAtBank = async () => {
    // The hidden card fields open the bank's dialog.
    await screen.findByLabelText("Card Number");
    await view.user.click(await screen.findByRole("button", { name: "Pay A$1,100.00" }));
    // In tests, the dialog is a part of them.
    await view.user.click(await screen.findByRole("button", { name: "Confirm", hidden: true }));
  };
  await payAtBank();
  expect(await screen.findByText("Unable to take the payment.")).toBeTruthy();
  expect(screen.queryByText(/Nothing has been charged/)).toBeNull();
  await payAtBank();
  expect(await screen.findByText(message)).toBeTruthy();
  expect(onPaid).toHaveBeenCalledOnce();
  expect(sent[1]?.input.key).toBe(sent[0]?.input.key);
});

test("moves the focus to the card number of another card after the bank wasn't answered", async () => {
  mockSimulator({ body: {} });
  const { view } = open([{ state: "NEEDS_AUTHENTICATION", id: "payment-1", clientSecret: "pi_1_secret_x" }]);
  await screen.findByLabelText("Card Number");
  await view.user.click(screen.getByRole("button", { name: "Pay A$1,100.00" }));
  await screen.findByRole("button", { name: "Confirm", hidden: true });
  await view.user.keyboard("{Escape}");
  await view.user.click(await screen.findByRole("button", { name: "Use another card" }));
  expect(document.activeElement).toBe(screen.getByLabelText("Card Number"));
});

test("shows the card fields without a saved card, and for another card", async () => {
  const { view } = open([]);
  await view.user.click(await screen.findByRole("radio", { name: "Another card" }));
  await view.user.click(screen.getByRole("button", { name: "Pay A$1,100.00" }));
  expect((await screen.findAllByText("Card details are required.")).length).toBeGreaterThan(0);
  view.unmount();
  open([], null);
  expect(await screen.findByLabelText("Card Number")).toBeTruthy();
  expect(screen.queryByRole("radio")).toBeNull();
});

test("refers to the bank account of the invoice while card payments are off", async () => {
  const mocks = [mockCardEntry("OFF"), mockQuery(SavedCardDocument).returns({ savedCard: null })];
  renderMocked(mocks, <PayInvoiceDialog opened invoice={invoice} onPaid={vi.fn()} onClose={vi.fn()} />);
  const found = await screen.findByText(/to the account that is shown with the invoice, with the reference 100024/);
  expect(found).toBeTruthy();
});
