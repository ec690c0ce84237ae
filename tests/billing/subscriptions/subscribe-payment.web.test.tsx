import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { field, messageUnder } from "#tests/support/fill-form.ts";
import { startAs } from "#tests/support/mock-query.tsx";
import type { SubscribeInput } from "#web/generated/graphql.ts";
import { hasTrialIntent, rememberTrialIntent } from "#web/platform/landing.ts";
import {
  confirm,
  submitAndConfirm,
  findAlertText,
  getButton,
  fillCardAndNotice,
  NUMBER,
  openSubscribeForm,
  getPriceBox,
  cardAccepted,
  typeInto,
} from "./open-subscribe-form.tsx";
import {
  mockCardEntry,
  mockCompletion,
  mockConfirmation,
  mockInvoices,
  mockPayments,
  buildOutcome,
  mockSimulator,
  products,
  runningSubscription,
  buildStatus,
  mockStatus,
  mockSubscribe,
  subscribing,
} from "./mock-portal.ts";

/** Opens the form with an API that confirms the price once. */
const openWithConfirmation = (mocks: Parameters<typeof openSubscribeForm>[0]) =>
  openSubscribeForm([mockStatus(), mockCardEntry(), mockConfirmation(), ...mocks]);

beforeEach(() => startAs("regular"));

test("sends the card to the simulator once, pays nothing on Cancel, and pays the confirmed amount on Yes", async () => {
  rememberTrialIntent();
  const requests = mockSimulator(cardAccepted);
  const sent: SubscribeInput[] = [];
  const view = openWithConfirmation([mockConfirmation(), mockSubscribe(sent)]);
  await fillCardAndNotice();
  await view.user.click(getButton("Subscribe"));
  const first = within(await screen.findByRole("dialog", { name: "Subscribe" }));
  await view.user.click(first.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(field("Card Number").value).toBe("4242 4242 4242 4242");
  await view.user.click(getButton("Subscribe"));
  const dialog = within(await screen.findByRole("dialog", { name: "Subscribe" }));
  expect(dialog.getByText("You are subscribing. Do you want to continue?")).toBeTruthy();
  expect(dialog.getByText("A$1,566.40")).toBeTruthy();
  expect(sent).toEqual([]);
  await view.user.dblClick(dialog.getByRole("button", { name: "Yes" }));
  expect(await screen.findByText("Subscription was successful.")).toBeTruthy();
  await waitFor(() => expect(view.place()).toBe("/my-account/"));
  // The next sign-in opens the account.
  expect(hasTrialIntent()).toBe(false);

  const card = { "card[number]": NUMBER, "card[exp_month]": "12", "card[exp_year]": "2034", "card[cvc]": "123" };
  const authorization = "Bearer pk_test_simulator";
  expect(requests).toEqual([
    { path: "/dev/payments/v1/payment_methods", authorization, fields: { type: "card", ...card } },
  ]);
  expect(sent).toEqual([
    {
      planPriceId: "xer-professional-yearly",
      promoCode: null,
      paymentMethodId: "pm_1",
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      expectedTotalCents: 156_640,
      acknowledgedNotice: true,
    },
  ]);
  const stored = [localStorage, sessionStorage].map((storage) => JSON.stringify(Object.entries(storage)));
  expect(stored.join() + JSON.stringify(sent) + document.body.innerHTML).not.toMatch(/4242 ?4242/);
});

test("shows a declined card at its field, keeps the form, and retries with a new key and card", async () => {
  const requests = mockSimulator(cardAccepted, { body: { id: "pm_2" } });
  const sent: SubscribeInput[] = [];
  const declined = buildOutcome("DECLINED", { message: "Your card was declined." });
  const view = openWithConfirmation([mockSubscribe(sent, declined), mockConfirmation(), mockSubscribe(sent)]);
  await submitAndConfirm(view);
  expect(await findAlertText()).toBe("Your card was declined.");
  await waitFor(() => expect(messageUnder(field("Card Number"))).toBe("Your card was declined."));
  expect(field("Card Number").value).toBe("4242 4242 4242 4242");
  typeInto("Card Number", "5555555555554444");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await confirm(view);
  await waitFor(() => expect(view.place()).toBe("/my-account/"));
  expect(requests).toHaveLength(2);
  expect(sent.map((input) => input.paymentMethodId)).toEqual(["pm_1", "pm_2"]);
  expect(sent[0]?.idempotencyKey).not.toBe(sent[1]?.idempotencyKey);
});

test.each([
  [
    "a card that the provider rejects at its field",
    [{ status: 402, body: { error: { code: "incorrect_cvc", param: "cvc", message: "Wrong code." } } }],
    () => expect(messageUnder(field("CVC"))).toBe("Wrong code."),
  ],
  [
    "that the provider is unreachable",
    [],
    () => expect(screen.getByRole("alert").textContent).toMatch(/^We cannot reach the payment provider/),
  ],
])("shows %s, without calling the API, and keeps the input", async (_, responses, check) => {
  mockSimulator(...responses);
  const view = openSubscribeForm([mockStatus(), mockCardEntry()]);
  await fillCardAndNotice();
  await view.user.click(getButton("Subscribe"));
  await waitFor(check);
  expect(field("Card Number").value).toBe("4242 4242 4242 4242");
});

test("sends the same idempotency key and card again after a lost response", async () => {
  mockSimulator(cardAccepted, { body: { id: "pm_2" } });
  const sent: SubscribeInput[] = [];
  const view = openWithConfirmation([
    { request: subscribing(sent).returns({}).request, error: new TypeError("Failed to fetch") },
    mockConfirmation(),
    mockSubscribe(sent),
  ]);
  await submitAndConfirm(view);
  expect(await findAlertText()).toMatch(/You will not be charged twice/);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await confirm(view);
  await waitFor(() => expect(view.place()).toBe("/my-account/"));
  expect(sent[1]).toEqual(sent[0]);
});

test("shows a price that changed in the meantime, without paying", async () => {
  mockSimulator(cardAccepted);
  const sent: SubscribeInput[] = [];
  const message = "The price has changed since it was shown to you.";
  const increased = products.map((one) => ({ ...one, totalCents: one.totalCents + 100 }));
  const view = openWithConfirmation([
    subscribing(sent).fails("CONFLICT", message),
    mockStatus(buildStatus(null, { products: increased })),
  ]);
  await submitAndConfirm(view);
  expect(await findAlertText()).toBe(message);
  expect(await getPriceBox().findByText("A$1,567.40")).toBeTruthy();
  expect(field("Card Number").value).toBe("4242 4242 4242 4242");
});

test("opens no dialog if the confirmed amount differs from the one shown", async () => {
  mockSimulator(cardAccepted);
  const view = openSubscribeForm([mockStatus(), mockCardEntry(), mockConfirmation(999), mockStatus()]);
  await fillCardAndNotice();
  await view.user.click(getButton("Subscribe"));
  expect(await findAlertText()).toMatch(/^The price has changed/);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("shows a subscription that was started in another tab, and a fallback for errors without a message", async () => {
  mockSimulator(cardAccepted);
  const view = openWithConfirmation([
    subscribing().fails(),
    mockConfirmation(),
    subscribing().fails("CONFLICT", "You already have an active subscription."),
    mockStatus(buildStatus(runningSubscription)),
    mockPayments(),
    mockInvoices(),
  ]);
  await submitAndConfirm(view);
  expect(await findAlertText()).toBe("Unable to subscribe.");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await confirm(view);
  expect(await screen.findByText("Next payment")).toBeTruthy();
  expect(screen.getByText("You already have an active subscription.")).toBeTruthy();
});

const atBank = buildOutcome("NEEDS_AUTHENTICATION", { clientSecret: "pi_1_secret_x" });

test("offers to continue after the bank's dialog is closed, and pays after authentication", async () => {
  const requests = mockSimulator(cardAccepted);
  const view = openWithConfirmation([mockSubscribe([], atBank), mockCompletion(buildOutcome("DONE"))]);
  await submitAndConfirm(view);
  await screen.findByRole("dialog", { name: "Your bank asks you to confirm this payment" });
  await view.user.keyboard("{Escape}");
  const notice = /has not confirmed the payment yet. Nothing has been charged./;
  expect(await screen.findByText(notice, { selector: "[role=alert]" })).toBeTruthy();
  expect(getButton("Use another card")).toBeTruthy();
  await view.user.click(getButton("Confirm with your bank"));
  await view.user.click(await screen.findByRole("button", { name: "Confirm" }));
  expect(await screen.findByText("Subscription was successful.")).toBeTruthy();
  expect(requests[1]).toMatchObject({
    path: "/dev/payments/v1/payment_intents/pi_1/confirm",
    fields: { client_secret: "pi_1_secret_x", simulated_authentication: "succeed" },
  });
});

test("no longer offers to confirm a payment with the bank after another plan is chosen", async () => {
  mockSimulator(cardAccepted);
  const view = openWithConfirmation([mockSubscribe([], atBank)]);
  await submitAndConfirm(view);
  await screen.findByRole("dialog", { name: "Your bank asks you to confirm this payment" });
  await view.user.keyboard("{Escape}");
  await screen.findByRole("button", { name: "Confirm with your bank" });
  await view.user.click(screen.getByRole("radio", { name: "Monthly" }));
  expect(await screen.findByRole("button", { name: "Subscribe" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Confirm with your bank" })).toBeNull();
});

test("asks for the outcome after the connection to the bank is lost, instead of saying that nothing was charged", async () => {
  mockSimulator(cardAccepted, { status: 503, body: {} });
  const view = openWithConfirmation([mockSubscribe([], atBank), mockCompletion(buildOutcome("DONE"))]);
  await submitAndConfirm(view);
  await view.user.click(await screen.findByRole("button", { name: "Confirm" }));
  expect(await screen.findByText("Subscription was successful.")).toBeTruthy();
});

test("shows that the customer refused the payment at the bank", async () => {
  const requests = mockSimulator(cardAccepted);
  const refused = buildOutcome("DECLINED", { message: "Your bank refused." });
  const view = openWithConfirmation([mockSubscribe([], atBank), mockCompletion(refused)]);
  await submitAndConfirm(view);
  await view.user.click(await screen.findByRole("button", { name: "Refuse" }));
  expect((await screen.findAllByText("Your bank refused.")).length).toBeGreaterThan(0);
  expect(requests[1]?.fields.simulated_authentication).toBe("fail");
});
