import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { field, messageUnder } from "#tests/support/fill-form.ts";
import { signedOut, signInAs } from "#tests/support/render-web.tsx";
import type { SubscribeInput } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { agree, alert, button, open, priceBox, taken, type } from "./open-subscribe-form.tsx";
import {
  cardEntry,
  confirmation,
  outcome,
  playSimulator,
  promo,
  refusal,
  status,
  subscribing,
  tenPercentOff,
} from "./portal.ts";

beforeEach(() => {
  signedOut();
  notify.clear();
  signInAs("regular");
});

test("requires a promo code to apply, and hides the field on Cancel", async () => {
  const view = open([status(), cardEntry()]);
  await view.user.click(await screen.findByRole("button", { name: "I have a promo code" }));
  await view.user.click(button("Apply"));
  expect(await alert()).toBe("Please add the promo code.");
  expect(messageUnder(field("Promo Code"))).toBe("Please add the promo code.");
  await view.user.click(button("Cancel"));
  expect(screen.queryByLabelText("Promo Code")).toBeNull();
});

test("strikes through the original price, applies the code to other levels, and pays the discounted price", async () => {
  playSimulator(taken);
  const sent: SubscribeInput[] = [];
  const monthly = { ...tenPercentOff.data.applyPromoCode, totalCents: 14_845, fullTotalCents: 16_495 };
  const view = open([
    status(),
    cardEntry(),
    promo("xer-professional-yearly", tenPercentOff),
    promo("xer-professional-monthly", { data: { applyPromoCode: monthly } }),
    promo("xer-professional-yearly", tenPercentOff),
    confirmation(140_976, "WELCOME10"),
    subscribing(sent, outcome("DONE")),
  ]);
  await view.user.click(await screen.findByRole("button", { name: "I have a promo code" }));
  await view.user.type(field("Promo Code"), "WELCOME10{Enter}");
  expect(await screen.findByText("Promo code has been successfully applied")).toBeTruthy();
  expect(priceBox().getByText("A$1,566.40").closest("s")).toBeTruthy();
  expect(priceBox().getByText("A$1,409.76")).toBeTruthy();
  expect(priceBox().getByText("−A$142.40")).toBeTruthy();
  type("Subscription Level", "xer-professional-monthly");
  expect(await priceBox().findByText("A$148.45")).toBeTruthy();
  type("Subscription Level", "xer-professional-yearly");
  expect(await priceBox().findByText("A$1,409.76")).toBeTruthy();
  await agree(view);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ promoCode: "WELCOME10", expectedTotalCents: 140_976 });
});

test.each([
  [
    "rejected as invalid",
    refusal("BAD_USER_INPUT", "", { promoCode: ["That code is not valid."] }),
    "That code is not valid.",
    "",
  ],
  ["rejected with an internal error", refusal("INTERNAL", ""), "Unable to apply the promo code.", "WELCOME10"],
])(
  "shows an error for a promo code %s, and clears the field only if the code is invalid",
  async (_, result, said, left) => {
    const view = open([status(), cardEntry(), promo("xer-professional-yearly", result)]);
    await view.user.click(await screen.findByRole("button", { name: "I have a promo code" }));
    type("Promo Code", "WELCOME10");
    await view.user.click(button("Apply"));
    expect(await alert()).toBe(said);
    await waitFor(() => expect(field("Promo Code").value).toBe(left));
    expect(messageUnder(field("Promo Code"))).toBe(said);
    expect(priceBox().getByText("A$1,566.40")).toBeTruthy();
  },
);
