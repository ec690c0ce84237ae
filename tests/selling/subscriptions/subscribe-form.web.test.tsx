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

test("the route's product is chosen, and the price box names price, GST and total", async () => {
  open([status(), cardEntry()]);
  await waitFor(() => expect(field("Subscription Level").value).toBe("xer-professional-yearly"));
  for (const text of ["A$1,424.00", "A$142.40", "A$1,566.40", "AUD, including GST"])
    expect(priceBox().getByText(text)).toBeTruthy();
  expect(screen.getByRole("option", { name: "Standard, monthly (retiring)" })).toBeTruthy();
});

test("a plan's slug chooses its first price, an unknown product is not found", async () => {
  open([status(), cardEntry()], "XER-Professional");
  await waitFor(() => expect(field("Subscription Level").value).toBe("xer-professional-monthly"));
  open([status(), cardEntry()], "xer-golden");
  expect(await screen.findByRole("heading", { level: 1, name: "Page Not Found" })).toBeTruthy();
});

test("a plan that is off sale is told, and another may be chosen", async () => {
  open([status(), cardEntry()], "xer-plus-yearly");
  expect(await screen.findByText(/not available any more/)).toBeTruthy();
  expect((await screen.findByLabelText<HTMLSelectElement>("Subscription Level")).value).toBe("");
});

test("nothing filled in: every message stands under its field, the first has the focus, no card goes anywhere", async () => {
  const asked = playSimulator(taken);
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
  expect(asked).toEqual([]);
});

test("card fields fill in by themselves, format what is typed, and say what is wrong with it", async () => {
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

test("subscribing takes the card to the simulator, asks with the api's sentence and the amount, and pays on Yes", async () => {
  const asked = playSimulator(taken);
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

  expect(asked).toHaveLength(1);
  expect(asked[0]).toEqual({
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

test("Cancel in the dialog pays nothing and keeps the form; the same card is not taken twice", async () => {
  const asked = playSimulator(taken);
  const view = open([status(), cardEntry(), confirmation(), confirmation()]);
  await fillIn();
  await view.user.click(button("Subscribe"));
  const dialog = within(await screen.findByRole("dialog", { name: "Subscribe" }));
  await view.user.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(field("Card Number").value).toBe("4242 4242 4242 4242");
  await view.user.click(button("Subscribe"));
  await screen.findByRole("dialog", { name: "Subscribe" });
  expect(asked).toHaveLength(1);
});

test("a declined card is told at the card, the form stays, and the next try is another intent with a new card", async () => {
  const asked = playSimulator(taken, { body: { id: "pm_2" } });
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
  expect(asked).toHaveLength(2);
  expect(sent.map((input) => input.paymentMethodId)).toEqual(["pm_1", "pm_2"]);
  expect(sent[0]?.idempotencyKey).not.toBe(sent[1]?.idempotencyKey);
});

test("a card that the simulator refuses is told at its field and never reaches the api", async () => {
  playSimulator({ status: 402, body: { error: { code: "incorrect_cvc", param: "cvc", message: "Wrong code." } } });
  const view = open([status(), cardEntry()]);
  await fillIn();
  await view.user.click(button("Subscribe"));
  await waitFor(() => expect(messageUnder(field("CVC"))).toBe("Wrong code."));
});

test("a payment provider that does not answer is told, and nothing typed is lost", async () => {
  playSimulator();
  const view = open([status(), cardEntry()]);
  await fillIn();
  await view.user.click(button("Subscribe"));
  expect(await alert()).toMatch(/^We cannot reach the payment provider/);
  expect(field("Card Number").value).toBe("4242 4242 4242 4242");
});

test("a lost answer keeps the intent: the same key and card are sent again", async () => {
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
  expect(await alert()).toMatch(/you will not be charged twice/);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await view.user.click(button("Subscribe"));
  await view.user.click(await screen.findByRole("button", { name: "Yes" }));
  await waitFor(() => expect(view.place()).toBe("/my-account/"));
  expect(sent[1]).toEqual(sent[0]);
});

test("a price that changed meanwhile is told and shown, and nothing is paid", async () => {
  playSimulator(taken);
  const sent: SubscribeInput[] = [];
  const message = "The price has changed since it was shown to you.";
  const dearer = products.map((one) => ({ ...one, totalCents: one.totalCents + 100 }));
  const view = open([
    status(),
    cardEntry(),
    confirmation(),
    subscribing(sent, refusal("CONFLICT", message)),
    status(standing(null, { products: dearer })),
  ]);
  await agree(view);
  expect(await alert()).toBe(message);
  expect(await priceBox().findByText("A$1,567.40")).toBeTruthy();
  expect(field("Card Number").value).toBe("4242 4242 4242 4242");
});

test("a sentence for another amount than the shown one opens no dialog", async () => {
  playSimulator(taken);
  const view = open([status(), cardEntry(), confirmation(999), status()]);
  await fillIn();
  await view.user.click(button("Subscribe"));
  expect(await alert()).toMatch(/^The price has changed/);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a second tab that is late sees the subscription of the first", async () => {
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
])("the bank's question answered with %s is carried on", async (answer, authentication, then, said) => {
  const asked = playSimulator(taken);
  const view = open([status(), cardEntry(), confirmation(), subscribing([], atBank), completing(then)]);
  await agree(view);
  const bank = within(await screen.findByRole("dialog", { name: "Your bank asks you to confirm this payment" }));
  await view.user.click(bank.getByRole("button", { name: answer }));
  expect((await screen.findAllByText(said)).length).toBeGreaterThan(0);
  expect(asked[1]).toMatchObject({
    path: "/dev/payments/v1/payment_intents/pi_1/confirm",
    fields: { client_secret: "pi_1_secret_x", simulated_authentication: authentication },
  });
});

test("a bank's question that is left open leaves two ways on", async () => {
  playSimulator(taken);
  const view = open([status(), cardEntry(), confirmation(), subscribing([], atBank), completing(outcome("DONE"))]);
  await agree(view);
  await screen.findByRole("dialog", { name: /^Your bank asks/ });
  await view.user.keyboard("{Escape}");
  expect(await screen.findByText(/has not confirmed the payment yet. Nothing has been charged./)).toBeTruthy();
  expect(button("Use Another Card")).toBeTruthy();
  await view.user.click(button("Confirm with Your Bank"));
  await view.user.click(await screen.findByRole("button", { name: "Confirm" }));
  expect(await screen.findByText("Subscription was successful.")).toBeTruthy();
});

test("an api that fails says the fallback", async () => {
  playSimulator(taken);
  const view = open([status(), cardEntry(), confirmation(), subscribing([], refusal("INTERNAL", ""))]);
  await agree(view);
  expect(await alert()).toBe("Unable to subscribe.");
});
