import { MockedProvider } from "@apollo/client/testing/react";
import { screen, waitFor, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test } from "vitest";
import { field, messageUnder } from "#tests/support/fill-form.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { ChangeSubscriptionDocument, ConfirmSubscriptionChangeDocument } from "#web/generated/graphql.ts";
import ChangeSubscriptionPage from "#web/billing/subscriptions/change-subscription.tsx";
import { notify } from "#web/platform/notifications.ts";
import { buildError, buildOutcome, buildStatus, type Mock, mockStatus, runningSubscription } from "./mock-portal.ts";
import { getChosenLevel, getLevel } from "./open-subscribe-form.tsx";
import { textWithTimes } from "#tests/support/text-with-times.ts";

beforeEach(() => {
  resetSession();
  notify.clear();
  signInAs("regular");
});

const open = (page: ReactNode, ...mocks: Mock[]) =>
  renderWeb(<MockedProvider mocks={mocks}>{page}</MockedProvider>, { at: "/here/" });
const button = (name: string) => screen.getByRole("button", { name });
const alert = async () => (await screen.findByRole("alert")).textContent;
const cancelled = { ...runningSubscription, isCancelledAtPeriodEnd: true };
const pastDue = { ...runningSubscription, isPastDue: true };

const confirming = (result: Mock["result"]): Mock => ({
  request: { query: ConfirmSubscriptionChangeDocument, variables: { planPriceId: "xer-professional-monthly" } },
  result,
});
const asking = confirming({
  data: {
    confirmSubscriptionChange: {
      __typename: "SubscriptionConfirmation",
      message: "Your card will be charged A$12.34 now.",
      totalCents: 1_234,
    },
  },
});
const changing = (result: Mock["result"]): Mock => ({
  request: { query: ChangeSubscriptionDocument, variables: { planPriceId: "xer-professional-monthly" } },
  result,
});

async function submitChange(view: ReturnType<typeof open>) {
  await screen.findByRole("radiogroup", { name: "Subscription Level" });
  await view.user.click(screen.getByRole("radio", { name: "Monthly" }));
  await view.user.click(getLevel("xer-professional-monthly"));
  await view.user.click(button("Submit"));
}

test("requires another level than the current one, and shows when it starts and what is due today", async () => {
  const view = open(<ChangeSubscriptionPage />, mockStatus(buildStatus(runningSubscription)), asking);
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
  const view = open(
    <ChangeSubscriptionPage />,
    mockStatus(buildStatus(runningSubscription)),
    asking,
    changing({ data: { changeSubscription: buildOutcome("DONE") } }),
  );
  await submitChange(view);
  const dialog = within(await screen.findByRole("dialog", { name: "Update Subscription" }));
  expect(dialog.getByText("Your card will be charged A$12.34 now.")).toBeTruthy();
  expect(dialog.getByText("A$12.34")).toBeTruthy();
  await view.user.dblClick(dialog.getByRole("button", { name: "Yes" }));
  expect(await screen.findByText("You have successfully changed subscription.")).toBeTruthy();
  await waitFor(() => expect(view.place()).toBe("/manage-subscription/"));
});

test("shows why the payment for a change was declined, and links to the card change", async () => {
  const result = { data: { changeSubscription: buildOutcome("DECLINED", { message: "Your card was declined." }) } };
  const view = open(<ChangeSubscriptionPage />, mockStatus(buildStatus(runningSubscription)), asking, changing(result));
  await submitChange(view);
  await view.user.click(await screen.findByRole("button", { name: "Yes" }));
  expect(await screen.findByText(/Your card was declined. Your subscription has not been changed./)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Update Card" })).toBeTruthy();
});

test("shows a fallback error if a change fails while it is previewed or applied", async () => {
  const failed = buildError("INTERNAL", "");
  const status = mockStatus(buildStatus(runningSubscription));
  const view = open(<ChangeSubscriptionPage />, status, confirming(failed), asking, changing(failed));
  await submitChange(view);
  expect(await alert()).toBe("Unable to change the subscription.");
  await view.user.click(button("Submit"));
  await view.user.click(await screen.findByRole("button", { name: "Yes" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(await alert()).toBe("Unable to change the subscription.");
  expect(getChosenLevel()).toBe("xer-professional-monthly");
});

test.each([
  ["overdue", pastDue, "Update Card"],
  ["cancelled", cancelled, "Billing"],
])("links to the required action before a change if the subscription is %s", async (_, subscription, way) => {
  open(<ChangeSubscriptionPage />, mockStatus(buildStatus(subscription)));
  expect((await screen.findAllByRole("link", { name: new RegExp(way) })).length).toBeGreaterThan(0);
  expect(screen.queryByLabelText("Subscription Level")).toBeNull();
});

test("selects the plan of the address when changing the plan, or the flagship for a year", async () => {
  const { result } = asking;
  const planPrice = { ...runningSubscription.planPrice, id: "xer-professional-monthly", interval: "MONTHLY" };
  const { unmount } = open(<ChangeSubscriptionPage />, mockStatus(buildStatus({ ...runningSubscription, planPrice })));
  await screen.findByRole("radiogroup", { name: "Subscription Level" });
  expect(getChosenLevel()).toBe("xer-professional-yearly");
  unmount();
  const preview = { query: ConfirmSubscriptionChangeDocument, variables: { planPriceId: "xer-standard-monthly" } };
  const mocks = [mockStatus(buildStatus(runningSubscription)), { request: preview, result } as Mock];
  renderWeb(<MockedProvider mocks={mocks}>{<ChangeSubscriptionPage />}</MockedProvider>, {
    at: "/change-subscription/?level=xer-standard-monthly",
  });
  await screen.findByRole("radiogroup", { name: "Subscription Level" });
  expect(getChosenLevel()).toBe("xer-standard-monthly");
});
