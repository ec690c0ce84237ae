import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { noticeMessage } from "#schema/rules/subscription.ts";
import { field, messageUnder } from "#tests/support/fill-form.ts";
import { resetSession, signInAs } from "#tests/support/render-web.tsx";
import type { SubscribeInput } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import {
  submitAndConfirm,
  findAlertText,
  getButton,
  getChosenLevel,
  getLevel,
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
  buildOutcome,
  mockSimulator,
  products,
  buildError,
  runningSubscription,
  buildStatus,
  mockStatus,
  mockSubscribe,
} from "./mock-portal.ts";

/** Opens the form with an API that confirms the price once. */
const openWithConfirmation = (mocks: Parameters<typeof openSubscribeForm>[0]) =>
  openSubscribeForm([mockStatus(), mockCardEntry(), mockConfirmation(), ...mocks]);

beforeEach(() => {
  resetSession();
  notify.clear();
  signInAs("regular");
});

test("selects the route's product, and shows its price, GST and total", async () => {
  openSubscribeForm([mockStatus(), mockCardEntry()]);
  await waitFor(() => expect(getChosenLevel()).toBe("xer-professional-yearly"));
  for (const text of ["A$1,424.00", "A$142.40", "A$1,566.40", "AUD, including GST"])
    expect(getPriceBox().getByText(text)).toBeTruthy();
  expect(
    screen.getByRole("radio", { name: "Standard, monthly (retiring), US$49.95 / A$82.45 incl. GST" }),
  ).toBeTruthy();
});

test("offers every price of every plan, and switches the chosen plan to the other interval", async () => {
  const view = openSubscribeForm([mockStatus(), mockCardEntry()]);
  await waitFor(() => expect(getChosenLevel()).toBe("xer-professional-yearly"));
  await view.user.click(screen.getByRole("radio", { name: "Monthly" }));
  expect(getChosenLevel()).toBe("xer-professional-monthly");
  expect(getPriceBox().getByText("A$164.95")).toBeTruthy();
  await view.user.click(getLevel("xer-professional-yearly"));
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Yearly, save 20%" }).checked).toBe(true);
  await view.user.keyboard("{ArrowRight}");
  expect(getChosenLevel()).toBe("xer-standard-monthly");
});

test("selects the first price for a plan slug, and shows not found for an unknown product", async () => {
  openSubscribeForm([mockStatus(), mockCardEntry()], "XER-Professional");
  await waitFor(() => expect(getChosenLevel()).toBe("xer-professional-monthly"));
  openSubscribeForm([mockStatus(), mockCardEntry()], "xer-golden");
  expect(await screen.findByRole("heading", { level: 1, name: "Page Not Found" })).toBeTruthy();
});

test("explains that a plan is off sale, and allows another to be selected", async () => {
  openSubscribeForm([mockStatus(), mockCardEntry()], "xer-plus-yearly");
  expect(await screen.findByText(/not available any more/)).toBeTruthy();
  await screen.findByLabelText("Subscription Level");
  expect(getChosenLevel()).toBe("");
});

test("shows an error under every empty field, focuses the first, and sends no card", async () => {
  const requests = mockSimulator(cardAccepted);
  const view = openSubscribeForm([mockStatus(), mockCardEntry()], "xer-plus-yearly");
  await screen.findByLabelText("Card Number");
  await view.user.click(getButton("I have a promo code"));
  await view.user.click(getButton("Subscribe"));
  await waitFor(() => expect(document.activeElement).toBe(field("Subscription Level")));
  expect(messageUnder(field("Subscription Level"))).toBe("Subscription level is required.");
  expect(messageUnder(field("Promo Code"))).toBe("Promo code is required.");
  for (const label of ["Card Number", "Expiry Date", "CVC"])
    expect(messageUnder(field(label))).toBe("Card details are required.");
  expect(messageUnder(field("I acknowledge this notice"))).toBe(noticeMessage);
  expect(requests).toEqual([]);
});

test("supports autofill of card fields, formats their input, and shows errors", async () => {
  const view = openSubscribeForm([mockStatus(), mockCardEntry()]);
  await screen.findByLabelText("Card Number");
  expect(["Card Number", "Expiry Date", "CVC"].map((label) => field(label).autocomplete)).toEqual([
    "cc-number",
    "cc-exp",
    "cc-csc",
  ]);
  expect(field("CVC").inputMode).toBe("numeric");
  typeInto("Card Number", "4242424242424241");
  typeInto("Expiry Date", "1320");
  typeInto("CVC", "12");
  expect(field("Card Number").value).toBe("4242 4242 4242 4241");
  await view.user.click(getButton("Subscribe"));
  await waitFor(() => expect(messageUnder(field("Card Number"))).toBe("The card number is not valid."));
  expect(messageUnder(field("Expiry Date"))).toBe("The expiry date is not valid.");
  expect(messageUnder(field("CVC"))).toBe("The security code is not complete.");
  typeInto("Card Number", NUMBER);
  await waitFor(() => expect(messageUnder(field("Card Number"))).toBeNull());
});

test("sends the card to the simulator, shows the API's confirmation text and amount, and pays on Yes", async () => {
  const requests = mockSimulator(cardAccepted);
  const sent: SubscribeInput[] = [];
  const view = openWithConfirmation([mockSubscribe(sent, buildOutcome("DONE"))]);
  await fillCardAndNotice();
  await view.user.click(getButton("Subscribe"));
  const dialog = within(await screen.findByRole("dialog", { name: "Subscribe" }));
  expect(dialog.getByText("You are subscribing. Do you want to continue?")).toBeTruthy();
  expect(dialog.getByText("A$1,566.40")).toBeTruthy();
  expect(sent).toEqual([]);
  await view.user.dblClick(dialog.getByRole("button", { name: "Yes" }));
  expect(await screen.findByText("Subscription was successful.")).toBeTruthy();
  await waitFor(() => expect(view.place()).toBe("/my-account/"));

  expect(requests).toHaveLength(1);
  expect(requests[0]).toEqual({
    path: "/dev/payments/v1/payment_methods",
    authorization: "Bearer pk_test_simulator",
    fields: {
      type: "card",
      "card[number]": NUMBER,
      "card[exp_month]": "12",
      "card[exp_year]": "2034",
      "card[cvc]": "123",
    },
  });
  expect(sent).toEqual([
    {
      planPriceId: "xer-professional-yearly",
      promoCode: null,
      paymentMethodId: "pm_1",
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
      expectedTotalCents: 156_640,
      acknowledgedNotice: true,
    },
  ]);
  const stored = [localStorage, sessionStorage].map((storage) => JSON.stringify(Object.entries(storage)));
  expect(stored.join() + JSON.stringify(sent) + document.body.innerHTML).not.toMatch(/4242 ?4242/);
});

test("pays nothing and keeps the form on Cancel, and doesn't send the same card twice", async () => {
  const requests = mockSimulator(cardAccepted);
  const view = openWithConfirmation([mockConfirmation()]);
  await fillCardAndNotice();
  await view.user.click(getButton("Subscribe"));
  const dialog = within(await screen.findByRole("dialog", { name: "Subscribe" }));
  await view.user.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(field("Card Number").value).toBe("4242 4242 4242 4242");
  await view.user.click(getButton("Subscribe"));
  await screen.findByRole("dialog", { name: "Subscribe" });
  expect(requests).toHaveLength(1);
});

test("shows a declined card at its field, keeps the form, and retries with a new key and card", async () => {
  const requests = mockSimulator(cardAccepted, { body: { id: "pm_2" } });
  const sent: SubscribeInput[] = [];
  const declined = buildOutcome("DECLINED", { message: "Your card was declined." });
  const view = openWithConfirmation([
    mockSubscribe(sent, declined),
    mockConfirmation(),
    mockSubscribe(sent, buildOutcome("DONE")),
  ]);
  await submitAndConfirm(view);
  expect(await findAlertText()).toBe("Your card was declined.");
  await waitFor(() => expect(messageUnder(field("Card Number"))).toBe("Your card was declined."));
  expect(field("Card Number").value).toBe("4242 4242 4242 4242");
  typeInto("Card Number", "5555555555554444");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await view.user.click(getButton("Subscribe"));
  await view.user.click(await screen.findByRole("button", { name: "Yes" }));
  await waitFor(() => expect(view.place()).toBe("/my-account/"));
  expect(requests).toHaveLength(2);
  expect(sent.map((input) => input.paymentMethodId)).toEqual(["pm_1", "pm_2"]);
  expect(sent[0]?.idempotencyKey).not.toBe(sent[1]?.idempotencyKey);
});

test("shows a card rejected by the simulator at its field, without calling the API", async () => {
  mockSimulator({ status: 402, body: { error: { code: "incorrect_cvc", param: "cvc", message: "Wrong code." } } });
  const view = openSubscribeForm([mockStatus(), mockCardEntry()]);
  await fillCardAndNotice();
  await view.user.click(getButton("Subscribe"));
  await waitFor(() => expect(messageUnder(field("CVC"))).toBe("Wrong code."));
});

test("shows an error if the payment provider is unreachable, and keeps the input", async () => {
  mockSimulator();
  const view = openSubscribeForm([mockStatus(), mockCardEntry()]);
  await fillCardAndNotice();
  await view.user.click(getButton("Subscribe"));
  expect(await findAlertText()).toMatch(/^We cannot reach the payment provider/);
  expect(field("Card Number").value).toBe("4242 4242 4242 4242");
});

test("sends the same idempotency key and card again after a lost response", async () => {
  mockSimulator(cardAccepted, { body: { id: "pm_2" } });
  const sent: SubscribeInput[] = [];
  const view = openWithConfirmation([
    mockSubscribe(sent, new TypeError("Failed to fetch")),
    mockConfirmation(),
    mockSubscribe(sent, buildOutcome("DONE")),
  ]);
  await submitAndConfirm(view);
  expect(await findAlertText()).toMatch(/You will not be charged twice/);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await view.user.click(getButton("Subscribe"));
  await view.user.click(await screen.findByRole("button", { name: "Yes" }));
  await waitFor(() => expect(view.place()).toBe("/my-account/"));
  expect(sent[1]).toEqual(sent[0]);
});

test("shows a price that changed in the meantime, without paying", async () => {
  mockSimulator(cardAccepted);
  const sent: SubscribeInput[] = [];
  const message = "The price has changed since it was shown to you.";
  const increased = products.map((one) => ({ ...one, totalCents: one.totalCents + 100 }));
  const view = openWithConfirmation([
    mockSubscribe(sent, buildError("CONFLICT", message)),
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

test("shows a subscription that was started in another tab", async () => {
  mockSimulator(cardAccepted);
  const view = openWithConfirmation([
    mockSubscribe([], buildError("CONFLICT", "You already have an active subscription.")),
    mockStatus(buildStatus(runningSubscription)),
  ]);
  await submitAndConfirm(view);
  expect(await screen.findByText("Next payment")).toBeTruthy();
  expect(await findAlertText()).toBe("You already have an active subscription.");
});

const atBank = buildOutcome("NEEDS_AUTHENTICATION", { clientSecret: "pi_1_secret_x" });

test.each([
  ["Confirm", "succeed", buildOutcome("DONE"), "Subscription was successful."],
  ["Refuse", "fail", buildOutcome("DECLINED", { message: "Your bank refused." }), "Your bank refused."],
])("handles the bank's authentication answered with %s", async (answer, authentication, then, said) => {
  const requests = mockSimulator(cardAccepted);
  const view = openWithConfirmation([mockSubscribe([], atBank), mockCompletion(then)]);
  await submitAndConfirm(view);
  const bank = within(await screen.findByRole("dialog", { name: "Your bank asks you to confirm this payment" }));
  await view.user.click(bank.getByRole("button", { name: answer }));
  expect((await screen.findAllByText(said)).length).toBeGreaterThan(0);
  expect(requests[1]).toMatchObject({
    path: "/dev/payments/v1/payment_intents/pi_1/confirm",
    fields: { client_secret: "pi_1_secret_x", simulated_authentication: authentication },
  });
});

test("offers to continue or use another card if authentication isn't completed", async () => {
  mockSimulator(cardAccepted);
  const view = openWithConfirmation([mockSubscribe([], atBank), mockCompletion(buildOutcome("DONE"))]);
  await submitAndConfirm(view);
  await screen.findByRole("dialog", { name: /^Your bank asks/ });
  await view.user.keyboard("{Escape}");
  expect(await screen.findByText(/has not confirmed the payment yet. Nothing has been charged./)).toBeTruthy();
  expect(getButton("Use another card")).toBeTruthy();
  await view.user.click(getButton("Confirm with your bank"));
  await view.user.click(await screen.findByRole("button", { name: "Confirm" }));
  expect(await screen.findByText("Subscription was successful.")).toBeTruthy();
});

test("shows a fallback error if the API fails", async () => {
  mockSimulator(cardAccepted);
  const view = openWithConfirmation([mockSubscribe([], buildError("INTERNAL", ""))]);
  await submitAndConfirm(view);
  expect(await findAlertText()).toBe("Unable to subscribe.");
});
