import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { noticeMessage } from "#schema/rules/subscription.ts";
import { field, messageUnder } from "#tests/support/fill-form.ts";
import { signedOut, signInAs } from "#tests/support/render-web.tsx";
import type { SubscribeInput } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { agree, alert, button, fillIn, NUMBER, open, priceBox, taken, type } from "./open-subscribe-form.tsx";
import {
  cardEntry,
  completing,
  confirmation,
  outcome,
  playSimulator,
  products,
  refusal,
  running,
  standing,
  status,
  subscribing,
} from "./portal.ts";

beforeEach(() => {
  signedOut();
  notify.clear();
  signInAs("regular");
});

test("selects the route's product, and shows its price, GST and total", async () => {
  open([status(), cardEntry()]);
  await waitFor(() => expect(field("Subscription Level").value).toBe("xer-professional-yearly"));
  for (const text of ["A$1,424.00", "A$142.40", "A$1,566.40", "AUD, including GST"])
    expect(priceBox().getByText(text)).toBeTruthy();
  expect(screen.getByRole("option", { name: "Standard, monthly (retiring)" })).toBeTruthy();
});

test("selects the first price of a plan slug, and shows not found for an unknown product", async () => {
  open([status(), cardEntry()], "XER-Professional");
  await waitFor(() => expect(field("Subscription Level").value).toBe("xer-professional-monthly"));
  open([status(), cardEntry()], "xer-golden");
  expect(await screen.findByRole("heading", { level: 1, name: "Page Not Found" })).toBeTruthy();
});

test("explains that a plan is off sale, and allows another to be selected", async () => {
  open([status(), cardEntry()], "xer-plus-yearly");
  expect(await screen.findByText(/not available any more/)).toBeTruthy();
  expect((await screen.findByLabelText<HTMLSelectElement>("Subscription Level")).value).toBe("");
});

test("shows an error under every empty field, focuses the first, and sends no card", async () => {
  const requests = playSimulator(taken);
  const view = open([status(), cardEntry()], "xer-plus-yearly");
  await screen.findByLabelText("Card Number");
  await view.user.click(button("I have a promo code"));
  await view.user.click(button("Subscribe"));
  await waitFor(() => expect(document.activeElement).toBe(field("Subscription Level")));
  expect(messageUnder(field("Subscription Level"))).toBe("Subscription level is required.");
  expect(messageUnder(field("Promo Code"))).toBe("Promo code is required.");
  for (const label of ["Card Number", "Expiry Date", "CVC"])
    expect(messageUnder(field(label))).toBe("Card details are required.");
  expect(messageUnder(field("I acknowledge this notice"))).toBe(noticeMessage);
  expect(requests).toEqual([]);
});

test("supports autofill of card fields, formats their input, and shows errors", async () => {
  const view = open([status(), cardEntry()]);
  await screen.findByLabelText("Card Number");
  expect(["Card Number", "Expiry Date", "CVC"].map((label) => field(label).autocomplete)).toEqual([
    "cc-number",
    "cc-exp",
    "cc-csc",
  ]);
  expect(field("CVC").inputMode).toBe("numeric");
  type("Card Number", "4242424242424241");
  type("Expiry Date", "1320");
  type("CVC", "12");
  expect(field("Card Number").value).toBe("4242 4242 4242 4241");
  await view.user.click(button("Subscribe"));
  await waitFor(() => expect(messageUnder(field("Card Number"))).toBe("The card number is not valid."));
  expect(messageUnder(field("Expiry Date"))).toBe("The expiry date is not valid.");
  expect(messageUnder(field("CVC"))).toBe("The security code is not complete.");
  type("Card Number", NUMBER);
  await waitFor(() => expect(messageUnder(field("Card Number"))).toBeNull());
});

test("sends the card to the simulator, shows the API's confirmation text and amount, and pays on Yes", async () => {
  const requests = playSimulator(taken);
  const sent: SubscribeInput[] = [];
  const view = open([status(), cardEntry(), confirmation(), subscribing(sent, outcome("DONE"))]);
  await fillIn();
  await view.user.click(button("Subscribe"));
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
  const requests = playSimulator(taken);
  const view = open([status(), cardEntry(), confirmation(), confirmation()]);
  await fillIn();
  await view.user.click(button("Subscribe"));
  const dialog = within(await screen.findByRole("dialog", { name: "Subscribe" }));
  await view.user.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(field("Card Number").value).toBe("4242 4242 4242 4242");
  await view.user.click(button("Subscribe"));
  await screen.findByRole("dialog", { name: "Subscribe" });
  expect(requests).toHaveLength(1);
});

test("shows a declined card at its field, keeps the form, and retries with a new key and card", async () => {
  const requests = playSimulator(taken, { body: { id: "pm_2" } });
  const sent: SubscribeInput[] = [];
  const declined = outcome("DECLINED", { message: "Your card was declined." });
  const view = open([
    status(),
    cardEntry(),
    confirmation(),
    subscribing(sent, declined),
    confirmation(),
    subscribing(sent, outcome("DONE")),
  ]);
  await agree(view);
  expect(await alert()).toBe("Your card was declined.");
  await waitFor(() => expect(messageUnder(field("Card Number"))).toBe("Your card was declined."));
  expect(field("Card Number").value).toBe("4242 4242 4242 4242");
  type("Card Number", "5555555555554444");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await view.user.click(button("Subscribe"));
  await view.user.click(await screen.findByRole("button", { name: "Yes" }));
  await waitFor(() => expect(view.place()).toBe("/my-account/"));
  expect(requests).toHaveLength(2);
  expect(sent.map((input) => input.paymentMethodId)).toEqual(["pm_1", "pm_2"]);
  expect(sent[0]?.idempotencyKey).not.toBe(sent[1]?.idempotencyKey);
});

test("shows a card rejected by the simulator at its field, without calling the API", async () => {
  playSimulator({ status: 402, body: { error: { code: "incorrect_cvc", param: "cvc", message: "Wrong code." } } });
  const view = open([status(), cardEntry()]);
  await fillIn();
  await view.user.click(button("Subscribe"));
  await waitFor(() => expect(messageUnder(field("CVC"))).toBe("Wrong code."));
});

test("shows an error if the payment provider is unreachable, and keeps the input", async () => {
  playSimulator();
  const view = open([status(), cardEntry()]);
  await fillIn();
  await view.user.click(button("Subscribe"));
  expect(await alert()).toMatch(/^We cannot reach the payment provider/);
  expect(field("Card Number").value).toBe("4242 4242 4242 4242");
});

test("sends the same key and card again after a lost response", async () => {
  playSimulator(taken, { body: { id: "pm_2" } });
  const sent: SubscribeInput[] = [];
  const view = open([
    status(),
    cardEntry(),
    confirmation(),
    subscribing(sent, new TypeError("Failed to fetch")),
    confirmation(),
    subscribing(sent, outcome("DONE")),
  ]);
  await agree(view);
  expect(await alert()).toMatch(/You will not be charged twice/);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await view.user.click(button("Subscribe"));
  await view.user.click(await screen.findByRole("button", { name: "Yes" }));
  await waitFor(() => expect(view.place()).toBe("/my-account/"));
  expect(sent[1]).toEqual(sent[0]);
});

test("shows a price that changed in the meantime, without paying", async () => {
  playSimulator(taken);
  const sent: SubscribeInput[] = [];
  const message = "The price has changed since it was shown to you.";
  const increased = products.map((one) => ({ ...one, totalCents: one.totalCents + 100 }));
  const view = open([
    status(),
    cardEntry(),
    confirmation(),
    subscribing(sent, refusal("CONFLICT", message)),
    status(standing(null, { products: increased })),
  ]);
  await agree(view);
  expect(await alert()).toBe(message);
  expect(await priceBox().findByText("A$1,567.40")).toBeTruthy();
  expect(field("Card Number").value).toBe("4242 4242 4242 4242");
});

test("opens no dialog if the confirmed amount differs from the one shown", async () => {
  playSimulator(taken);
  const view = open([status(), cardEntry(), confirmation(999), status()]);
  await fillIn();
  await view.user.click(button("Subscribe"));
  expect(await alert()).toMatch(/^The price has changed/);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("shows the subscription of another tab", async () => {
  playSimulator(taken);
  const view = open([
    status(),
    cardEntry(),
    confirmation(),
    subscribing([], refusal("CONFLICT", "You already have an active subscription.")),
    status(standing(running)),
  ]);
  await agree(view);
  expect(await screen.findByText("Next payment")).toBeTruthy();
  expect(await alert()).toBe("You already have an active subscription.");
});

const atBank = outcome("NEEDS_AUTHENTICATION", { clientSecret: "pi_1_secret_x" });

test.each([
  ["Confirm", "succeed", outcome("DONE"), "Subscription was successful."],
  ["Refuse", "fail", outcome("DECLINED", { message: "Your bank refused." }), "Your bank refused."],
])("handles the bank's authentication answered with %s", async (answer, authentication, then, said) => {
  const requests = playSimulator(taken);
  const view = open([status(), cardEntry(), confirmation(), subscribing([], atBank), completing(then)]);
  await agree(view);
  const bank = within(await screen.findByRole("dialog", { name: "Your bank asks you to confirm this payment" }));
  await view.user.click(bank.getByRole("button", { name: answer }));
  expect((await screen.findAllByText(said)).length).toBeGreaterThan(0);
  expect(requests[1]).toMatchObject({
    path: "/dev/payments/v1/payment_intents/pi_1/confirm",
    fields: { client_secret: "pi_1_secret_x", simulated_authentication: authentication },
  });
});

test("offers to continue or use another card if authentication is left open", async () => {
  playSimulator(taken);
  const view = open([status(), cardEntry(), confirmation(), subscribing([], atBank), completing(outcome("DONE"))]);
  await agree(view);
  await screen.findByRole("dialog", { name: /^Your bank asks/ });
  await view.user.keyboard("{Escape}");
  expect(await screen.findByText(/has not confirmed the payment yet. Nothing has been charged./)).toBeTruthy();
  expect(button("Use another card")).toBeTruthy();
  await view.user.click(button("Confirm with your bank"));
  await view.user.click(await screen.findByRole("button", { name: "Confirm" }));
  expect(await screen.findByText("Subscription was successful.")).toBeTruthy();
});

test("shows a fallback error if the API fails", async () => {
  playSimulator(taken);
  const view = open([status(), cardEntry(), confirmation(), subscribing([], refusal("INTERNAL", ""))]);
  await agree(view);
  expect(await alert()).toBe("Unable to subscribe.");
});
