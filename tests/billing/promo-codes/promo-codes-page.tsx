import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect } from "vitest";
import { getEndOfDay } from "#schema/days.ts";
import { type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { savedViews } from "#tests/support/saved-views.ts";
import { AddPromoCodeDocument, PromoCodesDocument, UpdatePromoCodeDocument } from "#web/generated/graphql.ts";
import ManagePromoCodesPage from "#web/billing/promo-codes/promo-codes-table.tsx";

beforeEach(() => startAs("admin"));

export const promoCode = (id: string, changes: object = {}) => ({
  __typename: "PromoCode",
  id,
  code: "WELCOME10",
  discountType: "PERCENTAGE",
  basisPoints: 1_000,
  amountCents: null,
  startsAt: null,
  hasStarted: true,
  expiresAt: null,
  isExpired: false,
  isOneTimeUseOnly: false,
  planPrices: [],
  maximumRedemptions: null,
  timesUsed: 3,
  revision: 1,
  ...changes,
});
export const lastDay = getEndOfDay("2027-06-30").toISOString();
export const dollars = { discountType: "DOLLARS_OFF", basisPoints: null, amountCents: 142_405 };
export const list = (...promoCodes: unknown[]) => mockQuery(PromoCodesDocument).returns({ promoCodes });
export const adding = (input: object) => mockQuery(AddPromoCodeDocument, { input });
export const added = { addPromoCode: promoCode("new") };
export const updating = (input: object) => mockQuery(UpdatePromoCodeDocument, { id: "p-1", input, revision: 1 });
export const updated = { updatePromoCode: promoCode("p-1") };
/** What a form without changes sends. */
export const unchanged = {
  code: "WELCOME10",
  discountType: "PERCENTAGE",
  discountValue: "10",
  startDate: null,
  expiryDate: null as string | null,
  planPriceIds: [],
  maximumRedemptions: null,
  isOneTimeUseOnly: false,
};

export function open(...mocks: Mock[]) {
  return renderMocked([...mocks, savedViews()], <ManagePromoCodesPage />, "/admin/manage-promo-codes/");
}

export type View = ReturnType<typeof open>;
export async function openForm(view: View) {
  await view.user.click(await screen.findByRole("button", { name: "Add a promo code" }));
  return within(await screen.findByRole("dialog", { name: "Add a promo code" }));
}
export async function choose(view: View, action: string) {
  await view.user.click(await screen.findByRole("button", { name: "Actions for WELCOME10" }));
  await view.user.click(await screen.findByRole("menuitem", { name: action }));
}
export const isClosed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
