import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test } from "vitest";
import { field, messageUnder } from "#tests/support/fill-form.ts";
import { failing, type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { ChangeSubscriptionDocument, ConfirmSubscriptionChangeDocument } from "#web/generated/graphql.ts";
import ChangeSubscriptionPage from "#web/billing/subscriptions/change-subscription.tsx";
import ManageSubscriptionPage from "#web/billing/subscriptions/manage-subscription.tsx";
import {
  buildOutcome,
  buildStatus,
  mockCardEntry,
  mockEffects,
  mockInvoices,
  mockPayments,
  mockStatus,
  runningSubscription,
} from "./mock-portal.ts";
import { getChosenLevel, getLevel } from "./open-subscribe-form.tsx";
import { textWithTimes } from "#tests/support/text-with-times.ts";

beforeEach(() => startAs("regular"));

const open = (page: ReactNode, ...mocks: Mock[]) => renderMocked(mocks, page, "/here/");
const button = (name: string) => screen.getByRole("button", { name });
const alert = async () => (await screen.findByRole("alert")).textContent;
const paused = { ...runningSubscription, pausedUntil: "2026-12-24T14:00:00.000Z" };

const asked = { confirmSubscriptionChange: { message: "Your card will be charged A$12.34 now.", totalCents: 1_234 } };
const confirming = (planPriceId: string) => mockQuery(ConfirmSubscriptionChangeDocument, { planPriceId });
const asking = confirming("xer-professional-monthly").returns(asked);
const changing = mockQuery(ChangeSubscriptionDocument, { planPriceId: "xer-professional-monthly" });
const openRunning = (...mocks: Mock[]) =>
  open(<ChangeSubscriptionPage />, mockStatus(buildStatus(runningSubscription)), ...mocks);

async function submitChange(view: ReturnType<typeof open>) {
  await screen.findByRole("radiogroup", { name: "Subscription Level" });
  await view.user.click(screen.getByRole("radio", { name: "Monthly" }));
  await view.user.click(getLevel("xer-professional-monthly"));
  await view.user.click(button("Submit"));
}

test("requires another level than the current one, and shows when it starts and what is due today", async () => {
  const view = openRunning(asking);
  await screen.findByLabelText("Subscription Level");
  expect(getLevel("xer-professional-yearly").disabled).toBe(true);
  expect(screen.getAllByText("Current plan")).toHaveLength(2);
  await view.user.click(button("Submit"));
  await waitFor(() => expect(messageUnder(field("Subscription Level"))).toBe("Subscription level required."));
  const summary = within(screen.getByRole("region", { name: "Summary" }));
  expect(summary.getByText(/^You pay A\$1,566\.40 every year, including GST\./)).toBeTruthy();
  await view.user.click(screen.getByRole("radio", { name: "Monthly" }));
  await view.user.click(getLevel("xer-professional-monthly"));
  expect(summary.getByText(textWithTimes(/^Starts on 10 Jan 2027 with your next payment/))).toBeTruthy();
  expect(await summary.findByText("A$12.34")).toBeTruthy();
  expect(summary.getByText(/^Then A\$164.95 every month/)).toBeTruthy();
});

test("shows the exact preview of a change and applies it once", async () => {
  const view = openRunning(asking, changing.returns({ changeSubscription: buildOutcome("DONE") }));
  await submitChange(view);
  const dialog = within(await screen.findByRole("dialog", { name: "Update Subscription" }));
  for (const text of ["Your card will be charged A$12.34 now.", "A$12.34"]) expect(dialog.getByText(text)).toBeTruthy();
  await view.user.dblClick(dialog.getByRole("button", { name: "Yes" }));
  expect(await screen.findByText("You have successfully changed subscription.")).toBeTruthy();
  await waitFor(() => expect(view.place()).toBe("/manage-subscription/"));
});

test("shows no amount that a card can't pay now", async () => {
  const message = "Nothing is charged now.";
  const returned = { confirmSubscriptionChange: { message, totalCents: 22 } };
  await submitChange(openRunning(confirming("xer-professional-monthly").returns(returned)));
  const dialog = within(await screen.findByRole("dialog", { name: "Update Subscription" }));
  expect([dialog.getByText(message), dialog.queryByText("A$0.22")]).toEqual([expect.anything(), null]);
});

test("shows why the payment for a change was declined, and links to the card change", async () => {
  const declined = buildOutcome("DECLINED", { message: "Your card was declined." });
  const view = openRunning(asking, changing.returns({ changeSubscription: declined }));
  await submitChange(view);
  await view.user.click(await screen.findByRole("button", { name: "Yes" }));
  expect(await screen.findByText(/Your card was declined. Your subscription has not been changed./)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Update Card" })).toBeTruthy();
});

test("shows a fallback error if a change fails while it is previewed or applied", async () => {
  const view = openRunning(failing(asking), asking, changing.fails());
  await submitChange(view);
  expect(await alert()).toBe("Unable to change the subscription.");
  expect(screen.getByText("Shown before you confirm")).toBeTruthy();
  await view.user.click(button("Submit"));
  await view.user.click(await screen.findByRole("button", { name: "Yes" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect([await alert(), getChosenLevel()]).toEqual(["Unable to change the subscription.", "xer-professional-monthly"]);
});

test.each([
  ["overdue", { ...runningSubscription, isPastDue: true }, "Update Card"],
  ["cancelled", { ...runningSubscription, isCancelledAtPeriodEnd: true }, "Billing"],
  ["paused", paused, "Billing"],
])("links to the required action before a change if the subscription is %s", async (_, subscription, way) => {
  open(<ChangeSubscriptionPage />, mockStatus(buildStatus(subscription)));
  expect(await screen.findByText("Your subscription is active.")).toBeTruthy();
  expect(screen.getAllByRole("link", { name: new RegExp(way) }).length).toBeGreaterThan(0);
  expect(screen.queryByLabelText("Subscription Level")).toBeNull();
});

test("selects the plan of the address when changing the plan, or the flagship for a year", async () => {
  const running = { ...runningSubscription, planPrice: monthly };
  const { unmount } = open(<ChangeSubscriptionPage />, mockStatus(buildStatus(running)));
  await screen.findByRole("radiogroup", { name: "Subscription Level" });
  expect(getChosenLevel()).toBe("xer-professional-yearly");
  unmount();
  const mocks = [mockStatus(buildStatus(runningSubscription)), confirming("xer-standard-monthly").returns(asked)];
  renderMocked(mocks, <ChangeSubscriptionPage />, "/change-subscription/?level=xer-standard-monthly");
  const group = await screen.findByRole("radiogroup", { name: "Subscription Level" });
  expect(getChosenLevel()).toBe("xer-standard-monthly");
  // As after an answer with an error.
  group.focus();
  expect(document.activeElement).toBe(within(group).getByRole("radio", { checked: true }));
});

test("focuses the first plan that can be chosen if none is", async () => {
  const { user } = openRunning(mockQuery(ConfirmSubscriptionChangeDocument, () => true).returns(asked));
  const group = await screen.findByRole("radiogroup", { name: "Subscription Level" });
  await user.click(screen.getByRole("button", { name: "Submit" }));
  const first = group.querySelector("input:enabled") as HTMLInputElement;
  await waitFor(() => expect(document.activeElement).toBe(first));
  // A press on a plan that can't be chosen moves neither the focus nor the page.
  expect(fireEvent.mouseDown(within(group).getByText("Current plan"))).toBe(false);
  expect(fireEvent.mouseDown(first)).toBe(true);
});

const yearly = runningSubscription.planPrice;
const monthly = { ...yearly, id: "xer-professional-monthly", interval: "MONTHLY" };
const lower = { ...monthly, id: "xer-standard-monthly" };

test("starts an upgrade with the next payment while a pause has moved the paid time", async () => {
  const moved = { ...runningSubscription, planPrice: monthly, changesAtRenewal: true };
  open(<ChangeSubscriptionPage />, mockStatus(buildStatus(moved)), confirming(yearly.id).returns(asked));
  const summary = within(await screen.findByRole("region", { name: "Summary" }));
  expect(summary.getByText(textWithTimes(/^Starts on 10 Jan 2027 with your next payment/))).toBeTruthy();
  expect(screen.queryByText("Starts today")).toBeNull();
});

const openBilling = (changes: object, ...mocks: Mock[]) => {
  const status = mockStatus(buildStatus({ ...runningSubscription, ...changes }));
  const others = [mockCardEntry(), mockPayments(), mockInvoices(), mockEffects];
  return open(<ManageSubscriptionPage />, ...mocks, status, ...others);
};

test("offers a plan that isn't retiring or planned instead of a cancellation, and selects it in the form", async () => {
  for (const [planPrice, offer, level] of [
    [monthly, /lower price\? Professional, yearly costs A\$1,566\.40 a year/, "xer-professional-yearly"],
    [yearly, /pay monthly\? Professional, monthly costs A\$164\.95 a month/, "xer-professional-monthly"],
  ] as const) {
    const view = openBilling({ planPrice });
    await view.user.click(await screen.findByRole("button", { name: "Cancel Subscription" }));
    expect(await screen.findByText(offer)).toBeTruthy();
    await view.user.click(screen.getByRole("link", { name: "Change Plan" }));
    expect(view.place()).toBe(`/change-subscription/?level=${level}`);
    view.unmount();
  }
  for (const subscription of [{ planPrice: lower }, { planPrice: yearly, nextPlanPrice: monthly }]) {
    const view = openBilling(subscription);
    await view.user.click(await screen.findByRole("button", { name: "Cancel Subscription" }));
    await screen.findByRole("button", { name: "Keep subscription" });
    expect(screen.queryByRole("link", { name: "Change Plan" })).toBeNull();
    view.unmount();
  }
});

test("shows the latest invoices and the billing details, and pauses without opening the cancellation", async () => {
  const view = openBilling({}, mockInvoices(4, 3, 2, 1));
  const table = within(await screen.findByRole("table", { name: "Tax Invoices" }));
  await table.findByText("A$1,000.04");
  expect(table.getAllByRole("button").map((one) => one.getAttribute("aria-label"))).toEqual([
    "Download 4",
    "Download 3",
    "Download 2",
  ]);
  expect(screen.queryByRole("searchbox")).toBeNull();
  expect(screen.getByRole("link", { name: "Invoices" }).getAttribute("href")).toBe("/tax-invoices/");
  const headings = () => screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
  const expected = "Professional, yearly | Next payment | Card | Latest invoices | Billing details | Pause | Cancel";
  await waitFor(() => expect(headings().join(" | ")).toBe(expected));
  expect(screen.getByText("Analytical Planning")).toBeTruthy();
  await view.user.click(screen.getByRole("button", { name: "Choose a date" }));
  expect(screen.getByLabelText("Pause until")).toBeTruthy();
});
