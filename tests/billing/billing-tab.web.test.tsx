import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { type Mock, mockQuery, renderMocked } from "#tests/support/mock-query.tsx";
import { resetSession, signInAs } from "#tests/support/render-web.tsx";
import { UserHeader } from "#web/staff/users/user-header.tsx";
import { CustomerBillingContact } from "#web/billing/billing-contacts/billing-contact.tsx";
import { BillingTab } from "#web/billing/billing-tab.tsx";
import {
  BillingContactDocument,
  UpdateBillingContactDocument,
  CustomerCreditDocument,
  InvoicesDocument,
  RefundInvoiceDocument,
  RefundPreviewDocument,
  RetryPaymentDocument,
  RunSubscriptionActionDocument,
  SubscriptionActionPreviewDocument,
  UserBillingDocument,
  type UserHeaderFieldsFragment,
  UserSummaryDocument,
} from "#web/generated/graphql.ts";

const subscription = {
  id: "s-1",
  userId: "user-7",
  plan: "Professional, monthly",
  status: "PAST_DUE",
  amountCents: 16_495,
  periodEndsAt: "2026-11-20T02:00:00.000Z",
  licenceExpiresAt: "2026-11-23T02:00:00.000Z",
  cardBrand: "visa",
  cardLast4: "0341",
  pastDueCents: 16_495,
  reason: "Insufficient funds",
  nextRetryAt: "2026-11-26T02:00:00.000Z",
};

const payment = {
  id: "p-1",
  at: "2026-10-20T02:00:00.000Z",
  amountCents: 16_495,
  status: "PAID",
  cardBrand: "visa",
  cardLast4: "0341",
  taxInvoice: { id: "i-1", number: "100141" } as object | null,
};
const failed = {
  ...payment,
  id: "p-2",
  at: "2026-11-20T02:00:00.000Z",
  status: "FAILED",
  reason: "Insufficient funds",
  nextRetryAt: "2026-11-26T02:00:00.000Z",
  taxInvoice: null,
};

beforeEach(resetSession);

const received = {
  id: "r-1",
  amountCents: 110_000,
  method: "BANK_TRANSFER",
  receivedAt: "2026-09-20T02:00:00.000Z",
  invoice: { id: "m-1", number: "100099", taxInvoiceId: "i-9", status: "PAID" },
};

/** An invoice in the list, of a customer who has 240. */
const invoice = { id: "i-9", number: "100099", customerName: "Ada Byron & Co" };

function open(mocks: Mock[] = [], role = "finance", changes: object = {}, rows: object[] = [], at = "/") {
  signInAs("admin", { staffRoles: [role] });
  const user = {
    id: "user-7",
    billingSubscriptions: [subscription],
    paymentAttempts: [failed, payment],
    receivedPayments: [],
    refunds: [],
    ...changes,
  };
  const others = [
    mockQuery(UserBillingDocument, { userId: "user-7" }, 9).returns({ user }),
    mockQuery(InvoicesDocument, ({ filter }) => !(filter as { id?: string }).id, 9).returns({
      invoices: { rows, total: 240 * rows.length },
    }),
    mockQuery(CustomerCreditDocument, () => true, 9).returns({}),
    mockQuery(BillingContactDocument, { userId: "user-7" }, 5).returns({ billingContact: {} }),
  ];
  const header = { id: "user-7", companyName: "", email: "ada@example.com", memberType: "REGULAR", isActive: true };
  const page = (
    <>
      {mocks.some(({ request }) => request.query === UserSummaryDocument) && (
        <UserHeader user={{ ...header, emailConfirmed: true } as UserHeaderFieldsFragment} />
      )}
      <BillingTab userId="user-7" />
    </>
  );
  return renderMocked([...others, ...mocks], page, at);
}

test("shows what is overdue, and each payment with its outcome, reason and next retry", async () => {
  open();
  const card = within(await screen.findByRole("region", { name: "Subscription" }));
  expect(card.getByRole("alert").textContent).toBe("A$164.95 is past dueInsufficient funds. Next retry 26 Nov 2026.");
  expect(card.getByText("Price").nextSibling?.textContent).toBe("A$164.95");
  const [head, first, second] = within(screen.getByRole("table", { name: "Payments" })).getAllByRole("row");
  expect(head?.textContent).toMatch(/Date.*Amount.*Method.*Status.*Reason.*Next retry/);
  expect(first?.textContent).toMatch(/20\/11.*A\$164\.95.*Visa ending 0341.*Failed.*Insufficient funds.*26\/11\/2026/);
  expect(second?.textContent).toMatch(/20\/10\/2026.*A\$164\.95.*Paid/);
});

test("says how many invoices the list leaves out, links to all, and shows the one of a link", async () => {
  const older = { ...invoice, id: "i-1", number: "100001", kind: "INVOICE" };
  const load = mockQuery(InvoicesDocument, ({ filter }) => (filter as { id?: string }).id === "i-1").returns({
    invoices: { rows: [older], total: 1 },
  });
  open([load], "finance", {}, [invoice], "/?invoice=i-1");
  expect(await screen.findByRole("region", { name: "Tax invoice 100001" })).toBeTruthy();
  expect(screen.getByText(/Showing the newest 1 of 240/)).toBeTruthy();
  const all = screen.getByRole("link", { name: "All invoices of Ada Byron & Co" });
  expect(all.getAttribute("href")).toBe("/admin/invoices/?customer=Ada%20Byron%20%26%20Co");
});

test("lists recorded payments, shows when a subscription ended, and offers an archived account no invoice", async () => {
  const ended = { ...subscription, status: "ENDED", pastDueCents: null, licenceExpiresAt: "2026-01-23T02:00:00.000Z" };
  const unpaid = { ...received.invoice, id: "m-2", number: "100100", status: "OPEN" };
  const partial = { ...received, id: "r-2", reference: "ACME 4471", invoice: unpaid };
  open([], "finance", { isActive: false, billingSubscriptions: [ended], receivedPayments: [partial, received] });
  const card = within(await screen.findByRole("region", { name: "Subscription" }));
  expect(card.getByText("Licence ended")).toBeTruthy();
  expect([card.queryByText("Paid until"), screen.queryByText("Create Invoice")]).toEqual([null, null]);
  const rows = within(screen.getByRole("table", { name: "Payments" })).getAllByRole("row");
  expect(rows.map(({ textContent }) => textContent).join()).toMatch(/transfer100100ACME 4471.*transfer100099/);
  expect(screen.getByRole("button", { name: "Actions for 100099" })).toBeTruthy();
  // An invoice that isn't paid in full can't be refunded.
  expect(screen.queryByRole("button", { name: "Actions for 100100" })).toBeNull();
});

test("counts the refund of an invoice once, for its card payment first", async () => {
  const receivedPayments = [
    { ...received, id: "r-2", amountCents: 70_000 },
    { ...received, amountCents: 40_000, method: "CARD" },
  ];
  const taxInvoice = { __typename: "TaxInvoice", id: "i-9", number: "100099" };
  const refunds = [{ __typename: "Refund", id: "f-1", status: "DONE", amountCents: 40_000, taxInvoice }];
  open([], "finance", { paymentAttempts: [], receivedPayments, refunds });
  const [, ...rows] = within(await screen.findByRole("table", { name: "Payments" })).getAllByRole("row");
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/A\$400\.00.*Card.*Refunded/),
    expect.stringMatching(/A\$700\.00.*Bank transfer.*Paid/),
  ]);
});

test("refunds after showing the effects and taking a reason, and keeps the input when it fails", async () => {
  const preview = {
    // A part was paid by bank transfer.
    remainingCents: 20_000,
    amountCents: 16_495,
    gstCents: 1_500,
    licenceChoices: ["KEEP", "END_NOW", "END_AT_PERIOD_END"],
    suggestedLicence: "KEEP",
    hasSubscription: true,
    licence: "KEEP",
    isToCard: true,
    cardLast4: "0341",
    renewsAt: "2026-12-20T02:00:00.000Z",
  };
  const keys: string[] = [];
  const variables = { invoiceId: "i-1", amountCents: null, licence: null, unusedTime: false };
  const recorded = "This was already sent with other values, and a refund of A$164.95 was requested.";
  const refunding = mockQuery(RefundInvoiceDocument, ({ input }) => keys.push((input as { key: string }).key) > 0);
  const { user } = open([
    mockQuery(RefundPreviewDocument, variables, 3).returns({ refundPreview: preview }),
    mockQuery(RefundPreviewDocument, { ...variables, amountCents: 16_495 }, 3).returns({ refundPreview: preview }),
    mockQuery(RefundPreviewDocument, { ...variables, amountCents: 10_000 }, 3).returns({
      refundPreview: { ...preview, amountCents: 10_000 },
    }),
    refunding.fails("UNAVAILABLE", "Try again."),
    refunding.fails("CONFLICT", recorded, { reason: "REQUEST_KEY_USED" }),
    refunding.returns({ refundInvoice: { id: "r-1", status: "DONE" } }),
  ]);
  await user.click(await screen.findByRole("button", { name: "Actions for 100141" }));
  await user.click(screen.getByRole("menuitem", { name: "Refund" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Refund invoice 100141" }));
  const effects = within(await dialog.findByRole("list", { name: "Effects" }));
  expect(effects.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "A$164.95 goes back to the card ending 0341, usually within 5 to 10 business days.",
    "The customer receives an adjustment note for invoice 100141: A$164.95, including A$15.00 GST.",
    "The licence stays valid. The subscription renews on 20 Dec 2026 and is charged then.",
  ]);
  const amount = dialog.getByRole("textbox", { name: "Amount" }) as HTMLInputElement;
  expect(amount.value).toBe("164.95");
  // A comma in place of the point must not refund a hundred times the amount.
  fireEvent.change(amount, { target: { value: "1,64" } });
  expect(dialog.getByText("Enter an amount in dollars, such as 49.95.")).toBeTruthy();
  fireEvent.change(amount, { target: { value: "164.95" } });
  const list = dialog.getByRole("list", { name: "Effects" });
  await waitFor(() => expect(list.getAttribute("aria-busy")).toBe("false"));
  await user.click(dialog.getByRole("button", { name: "Refund A$164.95" }));
  expect(dialog.getByText("Enter a reason.")).toBeTruthy();
  fireEvent.change(dialog.getByRole("textbox", { name: "Reason" }), { target: { value: "Bought twice" } });
  await user.click(dialog.getByRole("button", { name: "Refund A$164.95" }));
  expect((await dialog.findByRole("alert")).textContent).toContain("Try again.");
  // The refund may have been done without an answer, so another amount must not be refunded as well.
  fireEvent.change(amount, { target: { value: "100.00" } });
  await waitFor(() => expect(list.getAttribute("aria-busy")).toBe("false"));
  await user.click(dialog.getByRole("button", { name: "Refund A$100.00" }));
  expect(await dialog.findByText(recorded)).toBeTruthy();
  fireEvent.change(amount, { target: { value: "164.95" } });
  const button = dialog.getByRole("button", { name: "Refund A$164.95" });
  await waitFor(() => expect(button.getAttribute("aria-disabled")).toBeNull());
  await waitFor(() => expect(list.getAttribute("aria-busy")).toBe("false"));
  await user.click(button);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
});

test("extends a licence from the date that was shown, and calculates again if it changed in the meantime", async () => {
  const variables = { subscriptionId: "s-1", kind: "EXTEND_LICENCE", days: 7, pauseUntil: null };
  const dates = ["2026-11-24T02:00:00.000Z", "2026-12-03T02:00:00.000Z"];
  const previews = dates.map((licenceExpiresAt) =>
    mockQuery(SubscriptionActionPreviewDocument, variables).returns({
      subscriptionActionPreview: { licenceExpiresAt },
    }),
  );
  const inputs: { licenceExpiresAt: string; key: string }[] = [];
  const running = mockQuery(RunSubscriptionActionDocument, ({ input }) => inputs.push(input as never) > 0);
  const { user } = open([
    ...previews,
    running.fails("CONFLICT", "The licence was changed in the meantime."),
    running.returns({ runSubscriptionAction: { id: "a-1", status: "DONE" } }),
  ]);
  await user.click(await screen.findByRole("button", { name: "Extend Licence" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Extend Licence" }));
  expect(await dialog.findByText(/instead of 24 Nov 2026/)).toBeTruthy();
  fireEvent.change(dialog.getByRole("textbox", { name: "Reason" }), { target: { value: "Late delivery" } });
  const button = dialog.getByRole("button", { name: "Extend Licence" });
  await user.click(button);
  expect(await dialog.findByText(/instead of 3 Dec 2026/)).toBeTruthy();
  expect(dialog.getByRole("alert").textContent).toBe("The licence was changed in the meantime.");
  await waitFor(() => expect(button.getAttribute("aria-disabled")).toBeNull());
  await user.click(button);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(inputs.map(({ licenceExpiresAt }) => licenceExpiresAt)).toEqual(dates);
  expect(inputs[1]?.key).not.toBe(inputs[0]?.key);
});

test("opens the cancellation of a link, also while a payment is past due", async () => {
  const variables = { subscriptionId: "s-1", kind: "CANCEL_NOW", days: null, pauseUntil: null };
  const preview = mockQuery(SubscriptionActionPreviewDocument, variables).returns({ subscriptionActionPreview: {} });
  open([preview], "finance", {}, [], "/?action=cancel-subscription");
  const dialog = within(await screen.findByRole("dialog", { name: "Cancel Subscription" }));
  expect(await dialog.findByText(/^The subscription ends now, and the card isn't charged again\./)).toBeTruthy();
});

test("offers support only the retry and the link to update the card, and says why the bank declined a retry", async () => {
  const subscriptionActionPreview = {
    amountCents: 16_495,
    cardLast4: "0341",
    licenceExpiresAt: "2026-11-23T02:00:00.000Z",
  };
  const variables = { subscriptionId: "s-1", kind: "RETRY_PAYMENT", days: null, pauseUntil: null };
  const message = "The bank declined the payment. Insufficient funds.";
  const retryPayment = { id: "a-1", status: "FAILED", message };
  const summary = (pastDueReason: string) =>
    mockQuery(UserSummaryDocument, { id: "user-7" }).returns({ userSummary: { pastDueReason } });
  const mocks = [
    summary("Insufficient funds of October"),
    summary("Insufficient funds of November"),
    mockQuery(SubscriptionActionPreviewDocument, variables, 3).returns({ subscriptionActionPreview }),
    mockQuery(RetryPaymentDocument, () => true).returns({ retryPayment }),
  ];
  const { user } = open(mocks, "support");
  const card = within(await screen.findByRole("region", { name: "Subscription" }));
  const labels = card.getAllByRole("button").map(({ textContent }) => textContent);
  expect(labels).toEqual(["Retry Payment", "Send Update-Card Link"]);
  expect(screen.queryByRole("button", { name: "Actions for 100141" })).toBeNull();
  await user.click(card.getByRole("button", { name: "Retry Payment" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Retry Payment" }));
  expect(await dialog.findByText("A$164.95 is charged to the card ending 0341 now.")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Retry Payment" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(await screen.findByText(message)).toBeTruthy();
  expect(await screen.findByText(/^Insufficient funds of November/)).toBeTruthy();
});

test("says that a billing contact was saved, also if it can't be loaded again", async () => {
  signInAs("admin", { staffRoles: ["finance"] });
  const { user } = renderMocked(
    [
      mockQuery(BillingContactDocument, { userId: "user-7" }, 2).returns({ billingContact: {} }),
      mockQuery(UpdateBillingContactDocument, () => true).returns({ updateBillingContact: {} }),
      mockQuery(BillingContactDocument, { userId: "user-7" }).fails("UNAVAILABLE"),
    ],
    <CustomerBillingContact userId="user-7" />,
  );
  await user.click(await screen.findByRole("button", { name: "Edit billing contact" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Billing contact" }));
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("The billing contact has been updated.")).toBeTruthy();
});
