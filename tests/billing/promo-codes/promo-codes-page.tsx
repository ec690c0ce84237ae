import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { screen, waitFor, within } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { beforeEach, expect } from "vitest";
import { getEndOfDay } from "#schema/days.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { savedViews } from "#tests/support/saved-views.ts";
import { AddPromoCodeDocument, PromoCodesDocument, UpdatePromoCodeDocument } from "#web/generated/graphql.ts";
import ManagePromoCodesPage from "#web/billing/promo-codes/promo-codes-table.tsx";
import { notify } from "#web/platform/notifications.ts";

export type Mock = MockLink.MockedResponse;

beforeEach(() => {
  resetSession();
  notify.clear();
  signInAs("admin");
});

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
export const unlimited = { startDate: null, planPriceIds: [], maximumRedemptions: null };
export const lastDay = getEndOfDay("2027-06-30").toISOString();
export const dollars = { discountType: "DOLLARS_OFF", basisPoints: null, amountCents: 142_405 };
export const list = (...promoCodes: unknown[]): Mock => ({
  request: { query: PromoCodesDocument },
  result: { data: { promoCodes } },
});
export const failure = (code: string, message: string, fields?: object) => ({
  errors: [new GraphQLError(message, { extensions: { code, ...(fields ? { fields } : {}) } })],
});
export const adding = (input: object, result: Mock["result"] = { data: { addPromoCode: promoCode("new") } }): Mock => ({
  request: { query: AddPromoCodeDocument, variables: { input } },
  result,
});
export const updating = (
  input: object,
  result: Mock["result"] = { data: { updatePromoCode: promoCode("p-1") } },
): Mock => ({
  request: { query: UpdatePromoCodeDocument, variables: { id: "p-1", input, revision: 1 } },
  result,
});

export function open(...mocks: Mock[]) {
  return renderWeb(
    <MockedProvider mocks={[...mocks, savedViews()]}>
      <ManagePromoCodesPage />
    </MockedProvider>,
    { at: "/admin/manage-promo-codes/" },
  );
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
