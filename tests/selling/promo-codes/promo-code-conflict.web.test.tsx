import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { field, fill } from "#tests/support/fill-form.ts";
import { mockApi, MockedError } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import DataLayer from "#web/platform/data-layer.tsx";
import ManagePromoCodesPage from "#web/pages/admin/manage-promo-codes.tsx";
import { notify } from "#web/platform/notifications.ts";

beforeEach(() => {
  resetSession();
  notify.clear();
  signInAs("admin");
});

const promoCode = {
  __typename: "PromoCode",
  id: "p-1",
  code: "WELCOME10",
  discountType: 0,
  basisPoints: 1_000,
  amountCents: null,
  expiresAt: null,
  isExpired: false,
  isOneTimeUseOnly: false,
  timesUsed: 3,
  revision: 1,
};
const theirs = { ...promoCode, revision: 2, basisPoints: 1_500, expiresAt: "2027-06-30T23:59:59.999Z" };
const stale = () => new MockedError("CONFLICT", "This promo code was changed.", undefined, "STALE_REVISION");
const changes = [
  {
    __typename: "StaffChange",
    at: "2026-01-01T00:00:00Z",
    actorName: "Grace Hopper <grace@demo.test>",
    fields: ["basisPoints", "expiresAt"],
  },
];

test.each([
  ["Take theirs", { discountType: 0, discountValue: "15" }],
  ["Keep mine", { discountType: 1, discountValue: "A$50.00" }],
])("merges another admin's discount type and value as one choice: %s", async (choice, discount) => {
  let calls = 0;
  const requests = mockApi({
    PromoCodes: { promoCodes: [promoCode] },
    UpdatePromoCode: () => (calls++ === 0 ? stale() : { updatePromoCode: { ...theirs, revision: 3 } }),
    PromoCodeSince: { promoCodes: [theirs], promoCodeChanges: changes },
  });
  const { user } = renderWeb(
    <DataLayer>
      <ManagePromoCodesPage />
    </DataLayer>,
    { at: "/admin/manage-promo-codes/" },
  );
  await user.click(await screen.findByRole("button", { name: "Actions for WELCOME10" }));
  await user.click(await screen.findByRole("menuitem", { name: "Edit" }));
  const form = within(await screen.findByRole("dialog", { name: "Update promo code" }));
  const save = () => user.click(form.getByRole("button", { name: "Save" }));
  fill({ "Promo Code": "Fifty", "Discount type": "1" });
  await waitFor(() => expect(field("Discount value").value).toBe(""));
  fill({ "Discount value": "A$50.00" });
  await save();

  const note = await screen.findByText(/saved this promo code while you were editing/);
  expect(note.textContent).toContain("Grace Hopper");
  expect(screen.getByText("Updated with their changes: Expiry Date.")).toBeTruthy();
  const group = await screen.findByRole("group", { name: "Discount: which value?" });
  expect(group.textContent).toContain("Grace HopperPercentage, 15 %YouDollars Off, A$50.00");
  expect(["Promo Code", "Discount type", "Discount value", "Expiry Date"].map((label) => field(label).value)).toEqual([
    "Fifty",
    "1",
    "A$50.00",
    "30/06/2027",
  ]);
  await user.click(screen.getByRole("button", { name: `${choice} for Discount` }));
  await waitFor(() => expect(field("Discount value").value).toBe(discount.discountValue));
  await save();
  expect(await screen.findByText("You have successfully updated the promo code.")).toBeTruthy();
  const sent = requests.filter(({ operation }) => operation === "UpdatePromoCode").map(({ variables }) => variables);
  expect(sent).toMatchObject([
    { revision: 1 },
    { revision: 2, input: { code: "Fifty", expiryDate: "2027-06-30T23:59:59.999Z", ...discount } },
  ]);
});
