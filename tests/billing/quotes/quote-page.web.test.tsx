import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { mockApi, MockedError } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession } from "#tests/support/render-web.tsx";
import { textWithTimes } from "#tests/support/text-with-times.ts";
import QuotePage from "#web/billing/quotes/quote-page.tsx";

const quote = {
  number: "Q-1001",
  state: "OPEN",
  buyer: "Bell Rail",
  seller: { name: "Planvarro Software", abn: "51 824 753 556", address: ["1 Queen Street"], email: "sales@demo.test" },
  customer: { name: "Bell Rail", contact: "Ada Bell", abn: null, address: ["2 King Street"] },
  purchaseOrder: "PO-2291",
  lines: [
    {
      description: "Corporate, a year",
      quantity: 1_200,
      unitCents: 75,
      amountCents: 90_000,
      firstDay: "2026-12-01",
      lastDay: "2027-11-30",
    },
  ],
  amountCents: 90_000,
  gstCents: 9_000,
  gstBasisPoints: 1_000,
  totalCents: 99_000,
  issuedAt: "2026-11-20T02:00:00.000Z",
  validUntil: "2026-12-20T13:59:59.999Z",
  dueAt: null,
  dueDays: 14,
  acceptedAt: null,
  acceptedBy: null,
  invoiceNumber: null,
  balanceCents: 0,
  bank: null,
};

beforeEach(() => {
  resetSession();
});

const open = (answers: Parameters<typeof mockApi>[0]) => {
  const requests = mockApi(answers);
  return { ...renderWeb(<QuotePage />, { at: "/quote/?t=secret" }), requests };
};

test("needs a name, a role and a confirmation, accepts the quote, and then says how to pay", async () => {
  const bank = { accountName: "Planvarro Software", bsb: "062-000", accountNumber: "1234 5678" };
  const accepted = {
    ...quote,
    state: "ACCEPTED",
    acceptedAt: "2026-11-25T02:00:00.000Z",
    acceptedBy: "Ada Bell, Finance Manager",
    invoiceNumber: "100141",
    balanceCents: 99_000,
    bank,
  };
  const shown = [quote, accepted];
  const { user, requests } = open({
    Quote: () => ({ quote: shown.shift() ?? accepted }),
    AcceptQuote: { acceptQuote: { state: "ACCEPTED", invoiceNumber: "100141" } },
  });
  expect(await screen.findByText("Corporate, a year", { exact: false })).toBeTruthy();
  expect(screen.getByRole("cell", { name: "1,200" })).toBeTruthy();
  expect(screen.getByRole("rowheader", { name: "GST 10 %" })).toBeTruthy();
  const accept = () => user.click(screen.getByRole("button", { name: "Accept quote" }));
  expect((await screen.findByLabelText<HTMLInputElement>("Your name")).value).toBe("Ada Bell");
  fill({ "Your name": "" });
  await accept();
  await waitFor(() => expect(messageUnder(field("Your name"))).toBe("Name is required."));
  expect(messageUnder(field("Your role"))).toBe("Role is required.");
  expect(screen.getByText("Please confirm that you may accept the quote.")).toBeTruthy();
  expect(requests.map(({ operation }) => operation)).toEqual(["Quote"]);

  fill({ "Your name": "Ada Bell", "Your role": "Finance Manager" });
  fireEvent.click(screen.getByLabelText("I confirm that I may accept this quote for Bell Rail"));
  await accept();
  const sentence = await screen.findByText(textWithTimes(/Accepted by Ada Bell, Finance Manager, on 25 Nov 2026/));
  await waitFor(() => expect(document.activeElement).toBe(sentence));
  const payment = within(screen.getByRole("region", { name: "Pay A$990.00" }));
  expect(payment.getByText(/BSB 062-000, account 1234 5678, with the reference 100141/)).toBeTruthy();
  expect(payment.getByRole("link", { name: "sign in and open your invoices" })).toBeTruthy();
  expect(requests.find(({ operation }) => operation === "AcceptQuote")?.variables).toEqual({
    token: "secret",
    acceptance: { name: "Ada Bell", role: "Finance Manager", purchaseOrder: "PO-2291" },
  });
});

test("asks for no purchase order number of an invoice that staff have issued already", async () => {
  const { user, requests } = open({
    Quote: { quote: { ...quote, invoiceNumber: "100141" } },
    AcceptQuote: { acceptQuote: { state: "ACCEPTED" } },
  });
  expect(await screen.findByText(/We have already issued invoice 100141 for this quote/)).toBeTruthy();
  expect(screen.queryByLabelText(/Purchase order number/)).toBeNull();
  fill({ "Your role": "Finance Manager" });
  fireEvent.click(screen.getByLabelText("I confirm that I may accept this quote for Bell Rail"));
  await user.click(screen.getByRole("button", { name: "Accept quote" }));
  const sent = () => requests.find(({ operation }) => operation === "AcceptQuote")?.variables;
  const acceptance = { name: "Ada Bell", role: "Finance Manager" };
  await waitFor(() => expect(sent()).toEqual({ token: "secret", acceptance }));
});

test("offers no card for a balance that a card can't pay", async () => {
  open({ Quote: { quote: { ...quote, state: "ACCEPTED", invoiceNumber: "100141", balanceCents: 30 } } });
  expect(await screen.findByRole("heading", { name: "Pay A$0.30" })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "sign in and open your invoices" })).toBeNull();
});

test("says why a quote can't be accepted any more, and that a link is unknown", async () => {
  for (const [state, text] of [
    ["EXPIRED", "This quote has expired."],
    ["WITHDRAWN", "This quote was replaced by a newer one."],
    ["CANCELLED", "The invoice of this quote was cancelled."],
  ]) {
    const { unmount } = open({ Quote: { quote: { ...quote, state } } });
    expect((await screen.findByRole("status", {}, { timeout: 5_000 })).textContent).toContain(text);
    expect(screen.queryByRole("button", { name: "Accept quote" })).toBeNull();
    unmount();
  }
  open({ Quote: new MockedError("NOT_FOUND", "Not found.") });
  expect(await screen.findByText("Sorry, this link is invalid.")).toBeTruthy();
});
