import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { getEndOfDay, getStartOfDay } from "#schema/days.ts";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { mockApi, MockedError } from "#tests/support/mock-api.ts";
import { failing, type Mock, mockQuery, renderLoaded, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { savedViews } from "#tests/support/saved-views.ts";
import { completeData } from "#tests/support/complete-data.ts";
import {
  AddPromoCodeDocument,
  DeletePromoCodeDocument,
  PromoCodesDocument,
  PromoCodeSinceDocument,
  UpdatePromoCodeDocument,
} from "#web/generated/graphql.ts";
import ManagePromoCodesPage from "#web/billing/promo-codes/promo-codes-table.tsx";

beforeEach(() => startAs("admin"));

const promoCode = (id: string, changes: object = {}) => ({
  id,
  code: "WELCOME10",
  discountType: "PERCENTAGE",
  basisPoints: 1_000,
  hasStarted: true,
  timesUsed: 3,
  revision: 1,
  ...changes,
});
const lastDay = getEndOfDay("2027-06-30").toISOString();
const dollars = { discountType: "DOLLARS_OFF", basisPoints: null, amountCents: 142_405 };
const list = (...promoCodes: unknown[]) => mockQuery(PromoCodesDocument).returns({ promoCodes });
const adding = (input: object) => mockQuery(AddPromoCodeDocument, { input });
const added = { addPromoCode: promoCode("new") };
const updating = (input: object) => mockQuery(UpdatePromoCodeDocument, { id: "p-1", input, revision: 1 });
const updated = { updatePromoCode: promoCode("p-1") };
/** What a form without changes sends. */
const unchanged = {
  code: "WELCOME10",
  discountType: "PERCENTAGE",
  discountValue: "10",
  startDate: null,
  expiryDate: null as string | null,
  planPriceIds: [],
  maximumRedemptions: null,
  isOneTimeUseOnly: false,
};

function open(...mocks: Mock[]) {
  return renderMocked([...mocks, savedViews()], <ManagePromoCodesPage />, "/admin/manage-promo-codes/");
}

type View = ReturnType<typeof open>;
async function openForm(view: View) {
  await view.user.click(await screen.findByRole("button", { name: "Add a promo code" }));
  return within(await screen.findByRole("dialog", { name: "Add a promo code" }));
}
async function choose(view: View, action: string) {
  await view.user.click(await screen.findByRole("button", { name: "Actions for WELCOME10" }));
  await view.user.click(await screen.findByRole("menuitem", { name: action }));
}
const isClosed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

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
        planPrices: [{ id: "xer-plus-yearly" }],
        maximumRedemptions: 20_000,
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
    "CONFERENCE | Dollars Off | A$1,424.05 | Plus+, yearly | 30/06/2027Not yet started | Never | Yes | 0 of 20,000",
    "ODD | Percentage | 33.3% | All | – | 02/01/2026Expired | No | 3",
  ]);
  expect(screen.getByText("02/01/2026").title).toBe("2 Jan 2026, 10:00:00 am UTC");
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

test("restores the value when the type is switched back, and shows an error if the update fails", async () => {
  const view = open(list(promoCode("p-1")), updating(unchanged).fails());
  await choose(view, "Edit");
  const form = within(await screen.findByRole("dialog"));
  for (const [type, value] of [
    ["1", ""],
    ["0", "10"],
  ] as const) {
    fill({ "Discount type": type });
    await waitFor(() => expect(field("Discount value").value).toBe(value));
  }
  await view.user.click(form.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Unable to update the promo code.")).toBeTruthy();
});

test("deletes a code after confirmation, shows an error if that or loading fails, and reloads the list", async () => {
  const removal = mockQuery(DeletePromoCodeDocument, { id: "p-1" });
  const one = list(promoCode("p-1"));
  const view = open(failing(one), one, removal.fails(), one, removal.returns({}), list());
  expect(await screen.findByText("Unable to load the promo codes.")).toBeTruthy();
  await view.user.click(screen.getByRole("button", { name: "Try again" }));
  const confirm = async (answer: string) => {
    await choose(view, "Delete");
    const dialog = within(await screen.findByRole("dialog", { name: "Delete promo code" }));
    expect(dialog.getByText(/Customers can.t use WELCOME10 any more/)).toBeTruthy();
    await view.user.click(dialog.getByRole("button", { name: answer }));
    await isClosed();
  };
  await confirm("Cancel");
  await confirm("Delete");
  expect(await screen.findByText("Unable to delete the promo code.")).toBeTruthy();
  await confirm("Delete");
  expect(await screen.findByText("You have successfully deleted the promo code.")).toBeTruthy();
  expect(await screen.findByText("No Promo Codes.")).toBeTruthy();
});

test("merges another admin's discount type and value as one choice", async () => {
  const stored = promoCode("p-1");
  const theirs = { ...stored, revision: 2, basisPoints: 1_500, expiresAt: lastDay };
  const change = {
    at: "2026-01-01T00:00:00Z",
    actorName: "Grace Hopper <grace@demo.test>",
    fields: ["basisPoints", "expiresAt"],
  };
  let calls = 0;
  const stale = () => new MockedError("CONFLICT", "This promo code was changed.", undefined, "STALE_REVISION");
  const updatePromoCode = { ...theirs, revision: 3 };
  const requests = mockApi({
    PromoCodes: completeData(PromoCodesDocument, { promoCodes: [stored] }),
    UpdatePromoCode: () => (calls++ === 0 ? stale() : completeData(UpdatePromoCodeDocument, { updatePromoCode })),
    PromoCodeSince: completeData(PromoCodeSinceDocument, { promoCodes: [theirs], promoCodeChanges: [change] }),
  });
  const view = renderLoaded(<ManagePromoCodesPage />, "/admin/manage-promo-codes/");
  await choose(view, "Edit");
  const form = within(await screen.findByRole("dialog", { name: "Update promo code" }));
  const save = () => view.user.click(form.getByRole("button", { name: "Save" }));
  fill({ "Promo Code": "Fifty", "Discount type": "1" });
  await waitFor(() => expect(field("Discount value").value).toBe(""));
  fill({ "Discount value": "A$50.00" });
  await save();

  const note = await screen.findByText(/saved this promo code while you were editing/);
  expect(note.textContent).toContain("Grace Hopper");
  expect(screen.getByText("Updated with their changes: Expiry Date.")).toBeTruthy();
  const group = await screen.findByRole("group", { name: "Discount: which value?" });
  expect(group.textContent).toContain("Grace HopperPercentage, 15%YouDollars Off, A$50.00");
  const discount = () => ["Discount type", "Discount value"].map((label) => field(label).value);
  expect([field("Promo Code").value, field("Expiry Date").value].join()).toBe("Fifty,30/06/2027");
  expect(discount()).toEqual(["1", "A$50.00"]);
  await view.user.click(screen.getByRole("button", { name: "Take theirs for Discount" }));
  await waitFor(() => expect(discount()).toEqual(["0", "15"]));
  expect(document.activeElement).toBe(form.getByRole("button", { name: "Save" }));
  await save();
  expect(await screen.findByText("You have successfully updated the promo code.")).toBeTruthy();
  const sent = requests.filter(({ operation }) => operation === "UpdatePromoCode").map(({ variables }) => variables);
  expect(sent).toMatchObject([
    { revision: 1 },
    { revision: 2, input: { code: "Fifty", expiryDate: lastDay, discountType: "PERCENTAGE", discountValue: "15" } },
  ]);
});
