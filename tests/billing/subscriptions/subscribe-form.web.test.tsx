import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { noticeMessage } from "#schema/subscription.ts";
import { field, messageUnder } from "#tests/support/fill-form.ts";
import { mockQuery, startAs } from "#tests/support/mock-query.tsx";
import { ConfirmSubscriptionDocument, type SubscribeInput } from "#web/generated/graphql.ts";
import {
  submitAndConfirm,
  fillCardAndNotice,
  findAlertText,
  getButton,
  getChosenLevel,
  getLevel,
  listLevels,
  NUMBER,
  openSubscribeForm,
  getPriceBox,
  cardAccepted,
  typeInto,
} from "./open-subscribe-form.tsx";
import {
  mockCardEntry,
  mockConfirmation,
  applyingCode,
  mockSimulator,
  mockStatus,
  mockSubscribe,
  tenPercentOff,
} from "./mock-portal.ts";

beforeEach(() => startAs("regular"));

test("selects the route's product, shows its price, and switches plan and interval", async () => {
  const view = openSubscribeForm([mockStatus(), mockCardEntry()]);
  await waitFor(() => expect(getChosenLevel()).toBe("xer-professional-yearly"));
  for (const text of ["A$1,424.00", "A$142.40", "A$1,566.40", "AUD, including GST"])
    expect(getPriceBox().getByText(text)).toBeTruthy();
  const found = screen.getByRole("radio", { name: "Standard, monthly (retiring), US$49.95 / A$82.45 incl. GST" });
  expect(found).toBeTruthy();
  await view.user.click(screen.getByRole("radio", { name: "Monthly" }));
  expect(getChosenLevel()).toBe("xer-professional-monthly");
  expect(getPriceBox().getByText("A$164.95")).toBeTruthy();
  expect(listLevels()).toEqual([
    "Professional, monthly, US$99.95 / A$164.95 incl. GST",
    "Standard, monthly (retiring), US$49.95 / A$82.45 incl. GST",
  ]);
  await view.user.click(screen.getByRole("radio", { name: "Yearly, save 20%" }));
  expect(getChosenLevel()).toBe("xer-professional-yearly");
  await view.user.click(getLevel("xer-professional-yearly"));
  await view.user.keyboard("{ArrowRight}");
  expect(getChosenLevel()).toBe("xer-standard-monthly");
});

test("selects the first price for a plan slug, and shows not found for an unknown product", async () => {
  openSubscribeForm([mockStatus(), mockCardEntry()], "XER-Professional");
  await waitFor(() => expect(getChosenLevel()).toBe("xer-professional-monthly"));
  openSubscribeForm([mockStatus(), mockCardEntry()], "xer-golden");
  expect(await screen.findByRole("heading", { level: 1, name: "Page Not Found" })).toBeTruthy();
});

test("replaces a plan that is off sale, requires every field and sends no card before", async () => {
  const requests = mockSimulator(cardAccepted);
  const view = openSubscribeForm([mockStatus(), mockCardEntry()], "xer-plus-yearly");
  expect(await screen.findByText(/not available any more/)).toBeTruthy();
  expect(screen.getByText("You don't have an active subscription.")).toBeTruthy();
  await screen.findByLabelText("Card Number");
  expect(getChosenLevel()).toBe("xer-professional-yearly");
  await view.user.click(getButton("I have a promo code"));
  await view.user.click(getButton("Subscribe"));
  await waitFor(() => expect(messageUnder(field("Promo Code"))).toBe("Promo code is required."));
  for (const label of ["Card Number", "Expiry Date", "CVC"])
    expect(messageUnder(field(label))).toBe("Card details are required.");
  expect(messageUnder(field("I acknowledge this notice"))).toBe(noticeMessage);

  const expected = "cc-number cc-exp cc-csc";
  expect(["Card Number", "Expiry Date", "CVC"].map((label) => field(label).autocomplete).join(" ")).toBe(expected);
  expect(field("CVC").inputMode).toBe("numeric");
  typeInto("Card Number", "4242424242424241");
  typeInto("Expiry Date", "1320");
  typeInto("CVC", "12");
  expect(field("Card Number").value).toBe("4242 4242 4242 4241");
  await waitFor(() => expect(messageUnder(field("Card Number"))).toBe("The card number is not valid."));
  expect(messageUnder(field("Expiry Date"))).toBe("The expiry date is not valid.");
  expect(messageUnder(field("CVC"))).toBe("The security code is not complete.");
  typeInto("Card Number", NUMBER);
  await waitFor(() => expect(messageUnder(field("Card Number"))).toBeNull());
  expect(requests).toEqual([]);
});

test("requires a promo code, and clears it only if it is invalid", async () => {
  const invalid = applyingCode().fails("BAD_USER_INPUT", "", { fields: { promoCode: ["That code is not valid."] } });
  const view = openSubscribeForm([mockStatus(), mockCardEntry(), applyingCode().fails(), invalid]);
  await view.user.click(await screen.findByRole("button", { name: "I have a promo code" }));
  await waitFor(() => expect(document.activeElement).toBe(field("Promo Code")));
  const apply = async (message: string, left: string) => {
    await view.user.click(getButton("Apply"));
    await waitFor(() => expect(messageUnder(field("Promo Code"))).toBe(message));
    expect(await findAlertText()).toBe(message);
    await waitFor(() => expect(field("Promo Code").value).toBe(left));
  };
  await apply("Please add the promo code.", "");
  typeInto("Promo Code", "WELCOME10");
  await apply("Unable to apply the promo code.", "WELCOME10");
  await apply("That code is not valid.", "");
  expect(getPriceBox().getByText("A$1,566.40")).toBeTruthy();
  await view.user.click(getButton("Cancel"));
  expect(screen.queryByLabelText("Promo Code")).toBeNull();
  expect(document.activeElement).toBe(getButton("I have a promo code"));
});

test("shows the full price again if an applied code is no longer valid when subscribing", async () => {
  mockSimulator(cardAccepted);
  const variables = { planPriceId: "xer-professional-yearly", promoCode: "WELCOME10" };
  const refused = mockQuery(ConfirmSubscriptionDocument, variables).fails("BAD_USER_INPUT", "", {
    fields: { promoCode: ["That code is not valid."] },
  });
  const discounted = applyingCode().returns({ applyPromoCode: tenPercentOff });
  const view = openSubscribeForm([mockStatus(), mockCardEntry(), discounted, refused]);
  await view.user.click(await screen.findByRole("button", { name: "I have a promo code" }));
  typeInto("Promo Code", "WELCOME10");
  await view.user.click(getButton("Apply"));
  expect(await getPriceBox().findByText("A$1,409.76")).toBeTruthy();
  await fillCardAndNotice();
  await view.user.click(getButton("Subscribe"));
  await waitFor(() => expect(messageUnder(field("Promo Code"))).toBe("That code is not valid."));
  expect(field("Promo Code").value).toBe("");
  expect(getPriceBox().queryByText("A$1,409.76")).toBeNull();
});

test("says that an amount below the minimum of a card is added to the next payment, which has GST", async () => {
  const applyPromoCode = { ...tenPercentOff, totalCents: 22, gstCents: 0 };
  const almostFree = applyingCode().returns({ applyPromoCode });
  const view = openSubscribeForm([mockStatus(), mockCardEntry(), almostFree]);
  await view.user.click(await screen.findByRole("button", { name: "I have a promo code" }));
  typeInto("Promo Code", "WELCOME10");
  await view.user.type(field("Promo Code"), "{Enter}");
  expect(await getPriceBox().findByText("A$0.22")).toBeTruthy();
  expect(getPriceBox().getByText(/^Added to your next payment/)).toBeTruthy();
  expect(getPriceBox().getByText("Then A$1,566.40 every year, including GST, until you cancel.")).toBeTruthy();
});

test("strikes through the original price, applies the code to other levels, and pays the discounted price", async () => {
  mockSimulator(cardAccepted);
  const sent: SubscribeInput[] = [];
  const discounted = applyingCode().returns({ applyPromoCode: tenPercentOff });
  const monthly = { ...tenPercentOff, totalCents: 14_845, fullTotalCents: 16_495 };
  const view = openSubscribeForm([
    mockStatus(),
    mockCardEntry(),
    discounted,
    applyingCode("xer-professional-monthly").returns({ applyPromoCode: monthly }),
    discounted,
    mockConfirmation(140_976, "WELCOME10"),
    mockSubscribe(sent),
  ]);
  await view.user.click(await screen.findByRole("button", { name: "I have a promo code" }));
  typeInto("Promo Code", "WELCOME10");
  await view.user.type(field("Promo Code"), "{Enter}");
  expect(await screen.findByText("Promo code has been successfully applied")).toBeTruthy();
  // Mantine removes the line of the element.
  expect(getPriceBox().getByText("A$1,566.40").closest("s")?.style.textDecoration).toBe("line-through");
  for (const text of ["A$1,409.76", "−A$142.40"]) expect(getPriceBox().getByText(text)).toBeTruthy();
  await view.user.click(screen.getByRole("radio", { name: "Monthly" }));
  expect(await getPriceBox().findByText("A$148.45")).toBeTruthy();
  await view.user.click(screen.getByRole("radio", { name: "Yearly, save 20%" }));
  expect(await getPriceBox().findByText("A$1,409.76")).toBeTruthy();
  await submitAndConfirm(view);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ promoCode: "WELCOME10", expectedTotalCents: 140_976 });
});
