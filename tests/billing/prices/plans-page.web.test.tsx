import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import {
  AllPlansDocument,
  MoveSubscribersDocument,
  SeatPricesDocument,
  PriceMovePreviewDocument,
  SetPlanOnSaleDocument,
  SetPlanPriceDocument,
} from "#web/generated/graphql.ts";
import PlansPage from "#web/billing/prices/plans-page.tsx";

beforeEach(() => {
  startAs("admin");
  // Pages without TLS, for example on an intranet, don't have this function.
  vi.spyOn(crypto, "randomUUID").mockImplementation(() => {
    throw new TypeError("crypto.randomUUID is not a function");
  });
});

const price = {
  id: "xer-plus-monthly",
  interval: "MONTHLY",
  audCents: 11_245,
  usdCents: 7_495,
  customerCount: 12,
  otherAmountCount: 5,
  versions: [
    { id: "v2", audCents: 11_995, usdCents: 7_995, startsAt: "2026-12-31T14:00:00.000Z", reason: "2027" },
    { id: "v1", audCents: 11_245, usdCents: 7_495, startsAt: "1970-01-01T00:00:00.000Z", reason: "" },
  ],
};

const plans = (changes: object = {}, times = 5): Mock =>
  mockQuery(AllPlansDocument, {}, times).returns({
    allPlans: [{ slug: "xer-plus", name: "Plus+", retiring: true, isOnSale: true, prices: [price], ...changes }],
  });

/** Returns a mutation that accepts any input and records it. */
const mutation = (query: Mock["request"]["query"], inputs: object[]) =>
  mockQuery(query, ({ input }) => inputs.push(input as object) > 0).returns({});

const open = (...mocks: Mock[]) =>
  renderMocked(
    [plans(), ...mocks, mockQuery(SeatPricesDocument).returns({ seatPrices: [] })],
    <PlansPage />,
    "/admin/plans/",
  );

test("shows plans with their prices, subscribers and scheduled prices, and sets a new one from a date", async () => {
  const inputs: object[] = [];
  const { user } = open(mutation(SetPlanPriceDocument, inputs));
  const row = within(await screen.findByRole("table", { name: "Prices of Plus+" })).getAllByRole(
    "row",
  )[1] as HTMLElement;
  for (const text of ["A$112.45", "5 at another price", "From 1 Jan 2027, 12:00 am AEST: A$119.95, US$79.95 · 2027"])
    expect(row.textContent).toContain(text);
  expect(row.querySelector("time")?.title).toBe("31 Dec 2026, 2:00:00 pm UTC");
  expect(screen.getByText("Retiring")).toBeTruthy();
  await user.click(await screen.findByRole("button", { name: "New price for Plus+, monthly" }));
  const dialog = await screen.findByRole("dialog", { name: "New price for Plus+, monthly" });
  fireEvent.change(within(dialog).getByLabelText(/Price in AUD/), { target: { value: "US$120" } });
  expect(within(dialog).getByText("Now A$112.45")).toBeTruthy();
  fireEvent.change(within(dialog).getByLabelText(/Price in AUD/), { target: { value: "120" } });
  expect(within(dialog).getByText("A$132.00 including GST in Australia")).toBeTruthy();
  for (const [label, value] of Object.entries({
    "Price in USD": "79.95",
    "^From": "01/02/2027",
    Reason: "Prices of 2027",
  }))
    fireEvent.change(within(dialog).getByLabelText(new RegExp(label)), { target: { value } });
  await user.click(within(dialog).getByRole("button", { name: "Set new price" }));
  await vi.waitFor(() => expect(inputs).toHaveLength(1));
  expect(inputs[0]).toEqual({
    priceId: "xer-plus-monthly",
    audCents: 12_000,
    usdCents: 7_995,
    from: "2027-02-01",
    reason: "Prices of 2027",
    key: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test("reads the plans again if a price was set before with other values", async () => {
  const refusal = mockQuery(SetPlanPriceDocument, () => true).fails("CONFLICT", "A$150.00 was set before.");
  const changed = plans({ prices: [{ ...price, audCents: 15_000 }] });
  const seats = mockQuery(SeatPricesDocument, {}, 2).returns({ seatPrices: [] });
  const mocks = [{ ...plans(), maxUsageCount: 1 }, refusal, changed, seats];
  const { user } = renderMocked(mocks, <PlansPage />, "/admin/plans/");
  await user.click(await screen.findByRole("button", { name: "New price for Plus+, monthly" }));
  const dialog = within(await screen.findByRole("dialog"));
  const typed = { "Price in AUD, without GST": "120", "Price in USD": "79.95", Reason: "Prices of 2027" };
  for (const [label, value] of Object.entries(typed))
    fireEvent.change(dialog.getByLabelText(label), { target: { value } });
  await user.click(dialog.getByRole("button", { name: "Set new price" }));
  expect(await screen.findByText("A$150.00 was set before.")).toBeTruthy();
  expect(await screen.findByText("A$150.00")).toBeTruthy();
  expect(dialog.getByLabelText<HTMLInputElement>("Reason").value).toBe("Prices of 2027");
});

test("takes a plan off sale with a reason", async () => {
  const inputs: object[] = [];
  const { user } = open(mutation(SetPlanOnSaleDocument, inputs));
  await user.click(await screen.findByRole("button", { name: "Take Plus+ off sale" }));
  const dialog = await screen.findByRole("dialog", { name: "Take Plus+ off sale" });
  await user.click(within(dialog).getByRole("button", { name: "Take off sale" }));
  expect(await within(dialog).findByText("Enter a reason.")).toBeTruthy();
  fireEvent.change(within(dialog).getByLabelText(/Reason/), { target: { value: "Retired" } });
  await user.click(within(dialog).getByRole("button", { name: "Take off sale" }));
  await vi.waitFor(() => expect(inputs).toEqual([{ slug: "xer-plus", isOnSale: false, reason: "Retired" }]));
});

test("shows what a change did whose answer was lost", async () => {
  const { user } = renderMocked(
    [
      plans({}, 1),
      plans({ isOnSale: false }),
      mockQuery(SetPlanOnSaleDocument, () => true).fails("UNAVAILABLE"),
      mockQuery(SeatPricesDocument).returns({ seatPrices: [] }),
    ],
    <PlansPage />,
    "/admin/plans/",
  );
  await user.click(await screen.findByRole("button", { name: "Take Plus+ off sale" }));
  const dialog = within(await screen.findByRole("dialog"));
  fireEvent.change(dialog.getByLabelText(/Reason/), { target: { value: "Retired" } });
  await user.click(dialog.getByRole("button", { name: "Take off sale" }));
  expect((await dialog.findByRole("alert")).textContent).toContain("We couldn't confirm that this was done.");
  expect(await screen.findByText("Put Plus+ on sale")).toBeTruthy();
});

const previewing = mockQuery(PriceMovePreviewDocument, { priceId: "xer-plus-monthly" });

test.each([
  ["No subscriber can move now.", previewing.returns({ priceMovePreview: { count: 0, tooSoonCount: 0 } })],
  [
    "No subscriber can move now. 2 renew within 30 days and pay the current price once more.",
    previewing.returns({ priceMovePreview: { count: 0, tooSoonCount: 2 } }),
  ],
  ["Unable to load the subscribers.", previewing.fails()],
])("says '%s', and offers no move", async (refusal, preview) => {
  const { user } = open(preview);
  await user.click(await screen.findByRole("button", { name: "Move subscribers of Plus+, monthly" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect((await dialog.findByRole("alert")).textContent).toBe(refusal);
  expect(dialog.getByRole("button", { name: "Move subscribers" }).hasAttribute("disabled")).toBe(true);
});

test("says who moves to the new price and when, before moving them", async () => {
  const inputs: object[] = [];
  const preview = previewing.returns({
    priceMovePreview: {
      audCents: 11_995,
      count: 4,
      tooSoonCount: 1,
      firstRenewalAt: "2026-12-20T00:00:00.000Z",
      lastRenewalAt: "2027-01-03T00:00:00.000Z",
    },
  });
  const { user } = open(preview, mutation(MoveSubscribersDocument, inputs));
  await user.click(await screen.findByRole("button", { name: "Move subscribers of Plus+, monthly" }));
  const dialog = await screen.findByRole("dialog", { name: "Move subscribers of Plus+, monthly" });
  const text =
    "4 subscribers pay A$119.95 plus any GST from the first renewal in 30 days or later, between 20 Dec 2026 and 3 Jan 2027. Each receives an email now.";
  expect(await within(dialog).findByText(text)).toBeTruthy();
  expect(within(dialog).getByText(/1 renews within 30 days and pays the current price once more/)).toBeTruthy();
  fireEvent.change(within(dialog).getByLabelText(/Reason/), { target: { value: "One price" } });
  await user.click(within(dialog).getByRole("button", { name: "Move subscribers" }));
  await vi.waitFor(() => expect(inputs[0]).toMatchObject({ priceId: "xer-plus-monthly", expectedAudCents: 11_995 }));
});
