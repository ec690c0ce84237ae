import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { field, messageUnder } from "#tests/support/fill-form.ts";
import { resetSession, signInAs } from "#tests/support/render-web.tsx";
import type { SubscribeInput } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import {
  submitAndConfirm,
  findAlertText,
  getButton,
  getLevel,
  openSubscribeForm,
  getPriceBox,
  cardAccepted,
  typeInto,
} from "./open-subscribe-form.tsx";
import {
  mockCardEntry,
  mockConfirmation,
  buildOutcome,
  mockSimulator,
  mockPromoCode,
  buildError,
  mockStatus,
  mockSubscribe,
  tenPercentOff,
} from "./mock-portal.ts";

beforeEach(() => {
  resetSession();
  notify.clear();
  signInAs("regular");
});

test("requires a promo code to apply, and hides the field on Cancel", async () => {
  const view = openSubscribeForm([mockStatus(), mockCardEntry()]);
  await view.user.click(await screen.findByRole("button", { name: "I have a promo code" }));
  await view.user.click(getButton("Apply"));
  expect(await findAlertText()).toBe("Please add the promo code.");
  expect(messageUnder(field("Promo Code"))).toBe("Please add the promo code.");
  await view.user.click(getButton("Cancel"));
  expect(screen.queryByLabelText("Promo Code")).toBeNull();
});

test("strikes through the original price, applies the code to other levels, and pays the discounted price", async () => {
  mockSimulator(cardAccepted);
  const sent: SubscribeInput[] = [];
  const monthly = { ...tenPercentOff.data.applyPromoCode, totalCents: 14_845, fullTotalCents: 16_495 };
  const view = openSubscribeForm([
    mockStatus(),
    mockCardEntry(),
    mockPromoCode("xer-professional-yearly", tenPercentOff),
    mockPromoCode("xer-professional-monthly", { data: { applyPromoCode: monthly } }),
    mockPromoCode("xer-professional-yearly", tenPercentOff),
    mockConfirmation(140_976, "WELCOME10"),
    mockSubscribe(sent, buildOutcome("DONE")),
  ]);
  await view.user.click(await screen.findByRole("button", { name: "I have a promo code" }));
  await view.user.type(field("Promo Code"), "WELCOME10{Enter}");
  expect(await screen.findByText("Promo code has been successfully applied")).toBeTruthy();
  expect(getPriceBox().getByText("A$1,566.40").closest("s")).toBeTruthy();
  expect(getPriceBox().getByText("A$1,409.76")).toBeTruthy();
  expect(getPriceBox().getByText("−A$142.40")).toBeTruthy();
  await view.user.click(getLevel("xer-professional-monthly"));
  expect(await getPriceBox().findByText("A$148.45")).toBeTruthy();
  await view.user.click(getLevel("xer-professional-yearly"));
  expect(await getPriceBox().findByText("A$1,409.76")).toBeTruthy();
  await submitAndConfirm(view);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ promoCode: "WELCOME10", expectedTotalCents: 140_976 });
});

test.each([
  [
    "rejected as invalid",
    buildError("BAD_USER_INPUT", "", { promoCode: ["That code is not valid."] }),
    "That code is not valid.",
    "",
  ],
  ["rejected with an internal error", buildError("INTERNAL", ""), "Unable to apply the promo code.", "WELCOME10"],
])(
  "shows an error for a promo code %s, and clears the field only if the code is invalid",
  async (_, result, said, left) => {
    const view = openSubscribeForm([mockStatus(), mockCardEntry(), mockPromoCode("xer-professional-yearly", result)]);
    await view.user.click(await screen.findByRole("button", { name: "I have a promo code" }));
    typeInto("Promo Code", "WELCOME10");
    await view.user.click(getButton("Apply"));
    expect(await findAlertText()).toBe(said);
    await waitFor(() => expect(field("Promo Code").value).toBe(left));
    expect(messageUnder(field("Promo Code"))).toBe(said);
    expect(getPriceBox().getByText("A$1,566.40")).toBeTruthy();
  },
);
