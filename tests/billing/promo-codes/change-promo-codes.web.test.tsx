import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { field, fill } from "#tests/support/fill-form.ts";
import { mockApi, MockedError } from "#tests/support/mock-api.ts";
import { failing, mockQuery, renderLoaded } from "#tests/support/mock-query.tsx";
import { DeletePromoCodeDocument } from "#web/generated/graphql.ts";
import ManagePromoCodesPage from "#web/billing/promo-codes/promo-codes-table.tsx";
import { choose, isClosed, lastDay, list, open, promoCode, unchanged, updating } from "./promo-codes-page.tsx";

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
  const gone = removal.returns({ deletePromoCode: { __typename: "DeletedObject", id: "1" } });
  const view = open(failing(one), one, removal.fails(), one, gone, list());
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
    __typename: "StaffChange",
    at: "2026-01-01T00:00:00Z",
    actorName: "Grace Hopper <grace@demo.test>",
    fields: ["basisPoints", "expiresAt"],
  };
  let calls = 0;
  const stale = () => new MockedError("CONFLICT", "This promo code was changed.", undefined, "STALE_REVISION");
  const requests = mockApi({
    PromoCodes: { promoCodes: [stored] },
    UpdatePromoCode: () => (calls++ === 0 ? stale() : { updatePromoCode: { ...theirs, revision: 3 } }),
    PromoCodeSince: { promoCodes: [theirs], promoCodeChanges: [change] },
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
  await save();
  expect(await screen.findByText("You have successfully updated the promo code.")).toBeTruthy();
  const sent = requests.filter(({ operation }) => operation === "UpdatePromoCode").map(({ variables }) => variables);
  expect(sent).toMatchObject([
    { revision: 1 },
    { revision: 2, input: { code: "Fifty", expiryDate: lastDay, discountType: "PERCENTAGE", discountValue: "15" } },
  ]);
});
