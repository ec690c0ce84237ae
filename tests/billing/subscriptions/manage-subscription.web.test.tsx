import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test } from "vitest";
import { brand } from "#schema/brand.ts";
import { formatDate } from "#schema/dates.ts";
import { addDays, getPauseDays, getStartOfDay } from "#schema/days.ts";
import { field, messageUnder } from "#tests/support/fill-form.ts";
import { failing, type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import {
  CancelSubscriptionDocument,
  EndSubscriptionPauseDocument,
  KeepPresentPlanDocument,
  PauseSubscriptionDocument,
  ResumeSubscriptionDocument,
  UpdatePaymentDetailsDocument,
} from "#web/generated/graphql.ts";
import ChangeSubscriptionPage from "#web/billing/subscriptions/change-subscription.tsx";
import ManagePaymentDetailsPage from "#web/billing/subscriptions/payment-details-form.tsx";
import ManageSubscriptionPage from "#web/billing/subscriptions/manage-subscription.tsx";
import {
  mockCardEntry,
  mockEffects,
  mockInvoices,
  mockPayments,
  failedPayment,
  buildOutcome,
  mockSimulator,
  runningSubscription,
  buildStatus,
  mockStatus,
} from "./mock-portal.ts";
import { textWithTimes } from "#tests/support/text-with-times.ts";

beforeEach(() => startAs("regular"));

const open = (page: ReactNode, ...mocks: Mock[]) =>
  renderMocked([...mocks, mockPayments(), mockInvoices()], page, "/here/");
const button = (name: string) => screen.getByRole("button", { name });
const alert = async () => (await screen.findByRole("alert")).textContent;
const cancelled = { ...runningSubscription, isCancelledAtPeriodEnd: true };
const pastDue = { ...runningSubscription, isPastDue: true };
const lower = { __typename: "PlanPrice", id: "xer-standard-monthly", interval: "MONTHLY", usdCents: 4_995 };
const planned = { ...runningSubscription, nextPlanPrice: lower };

const openRunning = (...mocks: Mock[]) =>
  open(<ManageSubscriptionPage />, mockStatus(buildStatus(runningSubscription)), mockCardEntry(), ...mocks);
const openDetails = (subscription: object, ...mocks: Mock[]) =>
  open(<ManagePaymentDetailsPage />, mockStatus(buildStatus(subscription)), mockCardEntry(), ...mocks);

test("shows the plan, next payment, card and actions of a running subscription, after a retry", async () => {
  const status = mockStatus(buildStatus(runningSubscription));
  open(<ManageSubscriptionPage />, failing(status), mockCardEntry(), status);
  expect(await screen.findByText("Unable to fetch your subscription status.")).toBeTruthy();
  fireEvent.click(button("Try again"));
  expect(await screen.findByRole("heading", { level: 2, name: "Professional, yearly" })).toBeTruthy();
  for (const text of ["Your subscription is active.", "Active", "A$1,566.40", "on 10 Jan 2027", "expires 12/34"])
    expect(screen.getByText(textWithTimes(text))).toBeTruthy();
  expect(screen.getByText("Visa ending in 4242")).toBeTruthy();
  const href = "/manage-payment-details/";
  expect(screen.getByRole("link", { name: "Change Payment Details" }).getAttribute("href")).toBe(href);
  expect(screen.getByRole("link", { name: "Change Subscription" }).getAttribute("href")).toBe("/change-subscription/");
  expect(button("Cancel Subscription")).toBeTruthy();
  expect(screen.queryByLabelText("Card Number")).toBeNull();
});

test("says when the subscription ends, keeps the answer if the cancellation fails, and resumes the subscription", async () => {
  const answer = { reason: "TOO_EXPENSIVE", comment: "Only two projects a year." };
  const answered = mockQuery(CancelSubscriptionDocument, answer);
  const view = openRunning(
    mockEffects,
    answered.fails(),
    answered.returns({ cancelSubscription: buildStatus(cancelled, { nextChargeCents: null }) }),
    mockQuery(ResumeSubscriptionDocument).returns({ resumeSubscription: buildStatus(runningSubscription) }),
  );
  await view.user.click(await screen.findByRole("button", { name: "Cancel Subscription" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("Are you sure you wish to cancel your subscription?")).toBeTruthy();
  expect(dialog.getByText(textWithTimes(/run until 10 Jan 2027/))).toBeTruthy();
  expect(
    await dialog.findByText(textWithTimes(/^Your Professional licence ends on 10 Jan 2027\. .* your 2 devices\.$/)),
  ).toBeTruthy();
  fireEvent.change(dialog.getByLabelText("Reason"), { target: { value: "TOO_EXPENSIVE" } });
  fireEvent.change(dialog.getByLabelText("Comment"), { target: { value: " Only two projects a year. " } });
  await view.user.click(dialog.getByRole("button", { name: "Cancel subscription" }));
  expect(await alert()).toBe("Unable to unsubscribe.");
  expect(screen.getByText("Next payment")).toBeTruthy();
  await view.user.dblClick(dialog.getByRole("button", { name: "Cancel subscription" }));
  expect(await screen.findByText("You have successfully unsubscribed.")).toBeTruthy();
  expect(await screen.findByText("Ends on")).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Change Subscription" })).toBeNull();
  await view.user.click(button("Resume Subscription"));
  expect(await screen.findByText("Next payment")).toBeTruthy();
});

test("says before a cancellation that an overdue subscription ends now, and when its licence does", async () => {
  const view = open(<ManageSubscriptionPage />, mockStatus(buildStatus(pastDue)), mockCardEntry(), mockEffects);
  await view.user.click(await screen.findByRole("button", { name: "Cancel Subscription" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("Your subscription ends now.")).toBeTruthy();
  expect(await dialog.findByText(textWithTimes(/^Your Professional licence ends on 13 Jan 2099\./))).toBeTruthy();
});

test("says before a cancellation until when a licence runs that staff extended", async () => {
  const extended = { ...runningSubscription, licenceExtendedUntil: "2027-02-01T20:00:00.000Z" };
  const view = open(<ManageSubscriptionPage />, mockStatus(buildStatus(extended)), mockCardEntry(), mockEffects);
  await view.user.click(await screen.findByRole("button", { name: "Cancel Subscription" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(textWithTimes("Your subscription runs until 10 Jan 2027."))).toBeTruthy();
  expect(await dialog.findByText(textWithTimes(/^Your Professional licence ends on 2 Feb 2027\./))).toBeTruthy();
});

test("explains how to pay by bank transfer while card payments are off, also to a subscriber", async () => {
  const view = open(<ManageSubscriptionPage />, mockStatus(), mockCardEntry("OFF"));
  expect(await screen.findByText("Card payments are switched off")).toBeTruthy();
  expect(screen.getByRole("link", { name: brand.mailboxes.sales.email })).toBeTruthy();
  expect(screen.queryByLabelText("Card Number")).toBeNull();
  view.unmount();
  open(<ManagePaymentDetailsPage />, mockStatus(buildStatus(runningSubscription)), mockCardEntry("OFF"));
  expect(await screen.findByText("Card payments are switched off")).toBeTruthy();
  expect(screen.queryByLabelText("Card Number")).toBeNull();
});

test("pauses instead of cancelling, until a day of the allowed range, and resumes earlier", async () => {
  const { first, last } = getPauseDays(new Date());
  const day = addDays(first, 20);
  const until = getStartOfDay(day);
  const paused = { ...runningSubscription, pausedUntil: until.toISOString() };
  const view = openRunning(
    mockEffects,
    mockQuery(PauseSubscriptionDocument, { until: day }).returns({ pauseSubscription: buildStatus(paused) }),
    mockQuery(EndSubscriptionPauseDocument).returns({ endSubscriptionPause: buildStatus(runningSubscription) }),
  );
  await view.user.click(await screen.findByRole("button", { name: "Cancel Subscription" }));
  const dialog = within(await screen.findByRole("dialog"));
  await view.user.click(dialog.getByRole("button", { name: "Pause instead" }));
  expect(document.activeElement).toBe(dialog.getByLabelText("Pause until"));
  // Enter confirms other dialogs in their fields.
  await view.user.keyboard("{Enter}");
  expect(dialog.getByRole("button", { name: "Cancel subscription" }).hasAttribute("data-busy")).toBe(false);
  expect(await dialog.findByText("Choose a date.")).toBeTruthy();
  fireEvent.change(dialog.getByLabelText("Pause until"), { target: { value: addDays(last, 1) } });
  await view.user.click(dialog.getByRole("button", { name: "Pause Subscription" }));
  expect(dialog.getByText(/^Choose a date from /)).toBeTruthy();
  fireEvent.change(dialog.getByLabelText("Pause until"), { target: { value: day } });
  expect(dialog.getByText(/^The add-in stops working now.*your next payment moves to/)).toBeTruthy();
  await view.user.dblClick(dialog.getByRole("button", { name: "Pause Subscription" }));
  expect(await screen.findByText("Your subscription is paused.")).toBeTruthy();
  expect(screen.getByText("Paused until")).toBeTruthy();
  expect(screen.getAllByText(formatDate(until, brand.timeZone))).toHaveLength(1);
  expect(screen.queryByRole("link", { name: "Change Subscription" })).toBeNull();
  await view.user.click(screen.getByRole("button", { name: "Resume Now" }));
  expect(await screen.findByRole("link", { name: "Change Subscription" })).toBeTruthy();
});

test("offers no pause of a disputed subscription, on the page or before a cancellation", async () => {
  const disputed = { ...runningSubscription, isDisputed: true };
  const view = open(<ManageSubscriptionPage />, mockStatus(buildStatus(disputed)), mockCardEntry(), mockEffects);
  expect(await screen.findByText("Payment disputed")).toBeTruthy();
  await view.user.click(button("Cancel Subscription"));
  const dialog = within(await screen.findByRole("dialog"));
  expect(
    dialog.getByText(textWithTimes(/^Your subscription runs until 10 Jan 2027\. Your licence stays suspended/)),
  ).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^(Choose a date|Pause instead)$/ })).toBeNull();
});

const pageInMain = (
  <main id="main" tabIndex={-1}>
    <ManageSubscriptionPage />
  </main>
);

test("pauses with Enter in the field, and keeps the focus on the page without it", async () => {
  const day = addDays(getPauseDays(new Date()).first, 20);
  const paused = { ...runningSubscription, pausedUntil: getStartOfDay(day).toISOString() };
  const pausing = mockQuery(PauseSubscriptionDocument, { until: day });
  const pause = pausing.returns({ pauseSubscription: buildStatus(paused) });
  const view = open(pageInMain, mockStatus(buildStatus(runningSubscription)), mockCardEntry(), pause);
  await view.user.click(await screen.findByRole("button", { name: "Choose a date" }));
  fireEvent.change(screen.getByLabelText("Pause until"), { target: { value: day } });
  await view.user.keyboard("{Enter}");
  expect(await screen.findByText("Your subscription is paused.")).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("main")));
});

test("cancels a planned change, and keeps the focus on the page without the pressed button", async () => {
  const kept = mockQuery(KeepPresentPlanDocument).returns({ keepPresentPlan: buildStatus(runningSubscription) });
  const view = open(pageInMain, mockStatus(buildStatus(planned)), mockCardEntry(), kept);
  expect(await screen.findByText("Standard, monthly")).toBeTruthy();
  await view.user.click(button("Keep current plan"));
  await waitFor(() => expect(screen.queryByText("Standard, monthly")).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("main")));
});

test("shows the subscription's new state after an action that it no longer allows", async () => {
  const refused = mockQuery(KeepPresentPlanDocument).fails("CONFLICT", "Your subscription is cancelled.");
  const now = mockStatus(buildStatus(cancelled));
  const view = open(<ManageSubscriptionPage />, mockStatus(buildStatus(planned)), mockCardEntry(), refused, now);
  await view.user.click(await screen.findByRole("button", { name: "Keep current plan" }));
  expect(await screen.findByRole("button", { name: "Resume Subscription" })).toBeTruthy();
});

test("shows an overdue payment with the bank's reason and the next retry, and the card change as the main action", async () => {
  const paid = { ...failedPayment, id: "payment-1", status: "PAID", reason: null, nextRetryAt: null };
  const payments = mockPayments(failedPayment, paid);
  open(<ManageSubscriptionPage />, mockStatus(buildStatus(pastDue)), mockCardEntry(), payments);
  expect(await screen.findByText("Payment overdue")).toBeTruthy();
  expect(screen.getByText("Overdue payment")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Change Payment Details" }).dataset.variant).toBe("filled");
  expect(screen.queryByRole("link", { name: "Change Subscription" })).toBeNull();
  await screen.findByText("Insufficient funds");
  const table = within(screen.getByRole("table", { name: "Payments" }));
  const texts = table.getAllByRole("row").map(({ textContent }) => textContent);
  expect(texts[1]).toMatch(/20\/11\/2026.*A\$1,566\.40.*Visa ending 4242.*Failed.*Insufficient funds.*26\/11\/2026/);
  expect(texts[2]).toMatch(/A\$1,566\.40.*Paid/);
});

const updating = (variables: object, updatePaymentDetails: object) =>
  mockQuery(UpdatePaymentDetailsDocument, { ...variables }).returns({ updatePaymentDetails });

async function submitCard(view: ReturnType<typeof open>) {
  await screen.findByLabelText("Card Number");
  for (const [label, value] of Object.entries({ "Card Number": "4000002500003155", "Expiry Date": "1234", CVC: "123" }))
    fireEvent.change(field(label), { target: { value } });
  await view.user.click(button("Submit"));
}

test("uses a new card after authentication with the bank", async () => {
  const requests = mockSimulator({ body: { id: "pm_1" } });
  const atBank = buildOutcome("NEEDS_AUTHENTICATION", { id: "seti_1", clientSecret: "seti_1_secret_x" });
  const completed = updating({ preparationId: "seti_1" }, buildOutcome("DONE"));
  const view = openDetails(runningSubscription, updating({ paymentMethodId: "pm_1" }, atBank), completed);
  await submitCard(view);
  await view.user.click(await screen.findByRole("button", { name: "Confirm" }));
  expect(await screen.findByText("You have successfully changed your payment details")).toBeTruthy();
  await waitFor(() => expect(view.place()).toBe("/manage-subscription/"));
  expect(requests.map(({ path }) => path)).toEqual([
    "/dev/payments/v1/payment_methods",
    "/dev/payments/v1/setup_intents/seti_1/confirm",
  ]);
});

test("has the bank confirm an overdue payment after the card", async () => {
  const requests = mockSimulator({ body: { id: "pm_1" } });
  const atBank = (id: string) => buildOutcome("NEEDS_AUTHENTICATION", { id, clientSecret: `${id}_secret_x` });
  const outcomes = [
    updating({ paymentMethodId: "pm_1" }, atBank("seti_1")),
    updating({ preparationId: "seti_1" }, atBank("pi_1")),
    updating({ preparationId: "pi_1" }, buildOutcome("DONE")),
  ];
  const view = openDetails(pastDue, ...outcomes);
  await submitCard(view);
  for (const path of ["setup_intents/seti_1", "payment_intents/pi_1"]) {
    await view.user.click(await screen.findByRole("button", { name: "Confirm" }));
    await waitFor(() => expect(requests.at(-1)?.path).toBe(`/dev/payments/v1/${path}/confirm`));
  }
  await waitFor(() => expect(view.place()).toBe("/manage-subscription/"));
});

test("shows why a new card was declined, which card is stored then, and keeps the form", async () => {
  mockSimulator({ body: { id: "pm_1" } });
  const declined = buildOutcome("DECLINED", { message: "Your card was declined." });
  const stored = mockStatus(buildStatus({ ...pastDue, cardLast4: "0341" }));
  await submitCard(openDetails(pastDue, updating({ paymentMethodId: "pm_1" }, declined), stored));
  expect([await alert(), field("Card Number").value]).toEqual(["Your card was declined.", "4000 0025 0000 3155"]);
  expect(await screen.findByText("Visa ending in 0341")).toBeTruthy();
});

test("says that the card on file has expired", async () => {
  openDetails({ ...runningSubscription, cardExpires: "05/24" });
  expect(await screen.findByText("expired 05/24")).toBeTruthy();
});

test("explains that the overdue payment is charged immediately, and requires the card fields", async () => {
  const view = openDetails(pastDue);
  expect(await screen.findByText(/charge the overdue payment to this card immediately/)).toBeTruthy();
  await view.user.click(button("Submit"));
  await waitFor(() => expect(messageUnder(field("CVC"))).toBe("Card details are required."));
});

test.each([
  ["payment details", <ManagePaymentDetailsPage key="1" />],
  ["a change", <ChangeSubscriptionPage key="2" />],
])("links from %s to the subscribe form if there is no subscription", async (_, page) => {
  open(page, mockStatus(), mockCardEntry());
  expect((await screen.findByRole("link", { name: "Subscribe" })).getAttribute("href")).toBe("/manage-subscription/");
});
