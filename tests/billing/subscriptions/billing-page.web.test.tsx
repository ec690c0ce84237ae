import { MockedProvider } from "@apollo/client/testing/react";
import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import ManageSubscriptionPage from "#web/billing/subscriptions/manage-subscription.tsx";
import {
  buildStatus,
  type Mock,
  mockCardEntry,
  mockEffects,
  mockInvoices,
  mockPayments,
  mockStatus,
  runningSubscription,
} from "./mock-portal.ts";

beforeEach(() => {
  resetSession();
  signInAs("regular");
});

const yearly = runningSubscription.planPrice;
const monthly = { ...yearly, id: "xer-professional-monthly", interval: "MONTHLY" };
const lower = { ...monthly, id: "xer-standard-monthly" };

const open = (planPrice: object, ...mocks: Mock[]) => {
  const status = mockStatus(buildStatus({ ...runningSubscription, planPrice }));
  const all = [...mocks, status, mockCardEntry(), mockPayments(), mockInvoices(), mockEffects];
  return renderWeb(
    <MockedProvider mocks={all}>
      <ManageSubscriptionPage />
    </MockedProvider>,
    { at: "/here/" },
  );
};

test("offers a plan that isn't retiring instead of a cancellation, and selects it in the form", async () => {
  for (const [planPrice, offer, level] of [
    [monthly, /lower price\? Professional, yearly costs A\$1,566\.40 a year/, "xer-professional-yearly"],
    [yearly, /pay monthly\? Professional, monthly costs A\$164\.95 a month/, "xer-professional-monthly"],
  ] as const) {
    const view = open(planPrice);
    await view.user.click(await screen.findByRole("button", { name: "Cancel Subscription" }));
    expect(await screen.findByText(offer)).toBeTruthy();
    await view.user.click(screen.getByRole("link", { name: "Change Plan" }));
    expect(view.place()).toBe(`/change-subscription/?level=${level}`);
    view.unmount();
  }
  const view = open(lower);
  await view.user.click(await screen.findByRole("button", { name: "Cancel Subscription" }));
  await screen.findByRole("button", { name: "Keep subscription" });
  expect(screen.queryByRole("link", { name: "Change Plan" })).toBeNull();
});

test("shows the latest invoices and the billing details, and pauses without opening the cancellation", async () => {
  const view = open(yearly, mockInvoices(4, 3, 2, 1));
  const table = within(await screen.findByRole("table", { name: "Tax Invoices" }));
  await table.findByText("A$1,000.04");
  expect(table.getAllByRole("button").map((one) => one.getAttribute("aria-label"))).toEqual([
    "Download 4",
    "Download 3",
    "Download 2",
  ]);
  expect(screen.queryByRole("searchbox")).toBeNull();
  expect(screen.getByRole("link", { name: "Invoices" }).getAttribute("href")).toBe("/tax-invoices/");
  const headings = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
  expect(headings).toEqual([
    "Professional, yearly",
    "Next payment",
    "Card",
    "Latest invoices",
    "Billing details",
    "Pause",
    "Cancel",
  ]);
  expect(screen.getByText("Analytical Planning")).toBeTruthy();
  await view.user.click(screen.getByRole("button", { name: "Choose a date" }));
  expect(screen.getByLabelText("Pause until")).toBeTruthy();
});
