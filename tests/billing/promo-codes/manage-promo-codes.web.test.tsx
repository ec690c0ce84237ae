import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { getStartOfDay } from "#schema/days.ts";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import {
  added,
  adding,
  choose,
  dollars,
  isClosed,
  lastDay,
  list,
  open,
  openForm,
  promoCode,
  unchanged,
  updated,
  updating,
} from "./promo-codes-page.tsx";

test("lists ten codes per page with discount, expiry date and number of uses", async () => {
  open(
    list(
      promoCode("p-1", { expiresAt: lastDay }),
      promoCode("p-2", {
        code: "CONFERENCE",
        ...dollars,
        isOneTimeUseOnly: true,
        timesUsed: 0,
        startsAt: getStartOfDay("2027-06-30").toISOString(),
        hasStarted: false,
        planPrices: [{ __typename: "PlanPrice", id: "xer-plus-yearly" }],
        maximumRedemptions: 20,
      }),
      promoCode("p-3", { code: "ODD", basisPoints: 3_333, expiresAt: "2026-01-02T10:00:00.000Z", isExpired: true }),
      ...Array.from({ length: 8 }, (_, n) => promoCode(`p-${n + 4}`, { code: `CODE-${n}` })),
    ),
  );
  expect(await screen.findByRole("heading", { level: 1, name: "Manage Promo Codes" })).toBeTruthy();
  expect(await screen.findByText("1–10 of 11")).toBeTruthy();
  const rows = [...document.querySelectorAll("tr")]
    .slice(0, 4)
    .map((row) => [...row.querySelectorAll("th, td:not(:last-child)")].map((cell) => cell.textContent).join(" | "));
  expect(rows).toEqual([
    "Promo Code | Discount type | Discount value | Plans | Start Date | Expiry Date | One time use only | Times used | Actions",
    "WELCOME10 | Percentage | 10.0% | All | – | 30/06/2027 | No | 3",
    "CONFERENCE | Dollars Off | A$1,424.05 | Plus+, yearly | 30/06/2027Not yet started | Never | Yes | 0 of 20",
    "ODD | Percentage | 33.3% | All | – | 02/01/2026Expired | No | 3",
  ]);
});

test("shows the rules' messages, adds a percentage code, resets the dialog, and reloads the list", async () => {
  const input = {
    code: "Spring",
    discountType: "PERCENTAGE",
    discountValue: "12.5",
    startDate: getStartOfDay("2027-06-01").toISOString(),
    expiryDate: lastDay,
    planPriceIds: ["xer-professional-yearly", "xer-plus-yearly"],
    maximumRedemptions: 100,
    isOneTimeUseOnly: true,
  };
  const view = open(list(), adding(input).returns(added), list(promoCode("new", { code: "Spring" })));
  expect(await screen.findByText("No Promo Codes.")).toBeTruthy();
  const form = await openForm(view);
  const save = () => view.user.click(form.getByRole("button", { name: "Save" }));
  await save();
  await waitFor(() => expect(messageUnder(field("Promo Code"))).toBe("Promo code is required."));
  expect(messageUnder(field("Discount value"))).toBe("Discount value is required.");
  fill({ "Promo Code": " Spring ", "Discount value": "100.01", "Expiry Date": "31/02/2027" });
  await save();
  await waitFor(() => expect(messageUnder(field("Expiry Date"))).toBe("Must be a date."));
  expect(messageUnder(field("Discount value"))).toMatch(/^Must be a percentage/);
  fill({ "Discount value": "12.5", "Expiry Date": "30/06/2027", "Start Date": "01/07/2027" });
  await save();
  await waitFor(() => expect(messageUnder(field("Start Date"))).toBe("The start must be before the expiry date."));
  fill({ "Start Date": "01/06/2027", "Maximum redemptions": "100" });
  for (const plan of ["Professional, yearly", "Plus+, yearly"]) fireEvent.click(form.getByLabelText(plan));
  fireEvent.click(form.getByLabelText("One time use only"));
  await save();
  expect(await screen.findByText("You have successfully added the promo code.")).toBeTruthy();
  expect(await screen.findByText("Spring")).toBeTruthy();
  await isClosed();
  await openForm(view);
  expect(["Promo Code", "Discount value", "Expiry Date"].map((label) => field(label).value)).toEqual(["", "", ""]);
  expect(field("One time use only").checked).toBe(false);
});

test("adds an amount, which the form formats, and shows a duplicate under its field and other errors", async () => {
  const saving = adding({ ...unchanged, code: "Fifty", discountType: "DOLLARS_OFF", discountValue: "A$50.00" });
  const taken = "This promo code already exists.";
  const duplicate = saving.fails("CONFLICT", taken, { fields: { code: [taken] } });
  const view = open(list(), duplicate, saving.fails(), saving.returns(added), list());
  const form = await openForm(view);
  const save = () => view.user.click(form.getByRole("button", { name: "Save" }));
  fill({ "Promo Code": "Fifty", "Discount value": "10" });
  expect(form.getByText("%")).toBeTruthy();
  fill({ "Discount type": "1" });
  await waitFor(() => expect(field("Discount value").value).toBe(""));
  expect(form.getByText("AUD")).toBeTruthy();
  fill({ "Discount value": "50" });
  fireEvent.blur(field("Discount value"));
  await waitFor(() => expect(field("Discount value").value).toBe("A$50.00"));
  await save();
  await waitFor(() => expect(messageUnder(field("Promo Code"))).toBe(taken));
  await save();
  expect(await screen.findByText("Unable to add the promo code.")).toBeTruthy();
  expect(field("Promo Code").value).toBe("Fifty");
  await save();
  expect(await screen.findByText("You have successfully added the promo code.")).toBeTruthy();
});

test.each([
  ["a date with a time", { expiresAt: "2027-06-30T10:00:00.000Z" }, "10", "2027-06-30T10:00:00.000Z"],
  ["an amount", { ...dollars, expiresAt: lastDay }, "A$1,424.05", lastDay],
])("keeps %s when the form is saved without changes", async (_, is, value, expiryDate) => {
  const before = promoCode("p-1", is);
  const { code, discountType } = before;
  const input = { ...unchanged, code, discountType, discountValue: value, expiryDate };
  const view = open(list(before), updating(input).returns(updated), list(before));
  await choose(view, "Edit");
  const form = within(await screen.findByRole("dialog", { name: "Update promo code" }));
  expect(field("Expiry Date").value).toBe("30/06/2027");
  expect(field("Discount value").value).toBe(value);
  expect(form.getByText(/Used 3 times so far/)).toBeTruthy();
  await view.user.click(form.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("You have successfully updated the promo code.")).toBeTruthy();
  await isClosed();
});
