import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { savedViews } from "#tests/support/saved-views.ts";
import { Guard } from "#web/platform/route-guard.tsx";
import { paths } from "#web/platform/paths.ts";
import { routes } from "#web/app/routes.ts";
import {
  AddPromoCodeDocument,
  DeletePromoCodeDocument,
  PromoCodesDocument,
  UpdatePromoCodeDocument,
} from "#web/generated/graphql.ts";
import ManagePromoCodesPage from "#web/pages/admin/manage-promo-codes.tsx";
import { notify } from "#web/platform/notifications.ts";

type Mock = MockLink.MockedResponse;

beforeEach(() => {
  resetSession();
  notify.clear();
  signInAs("admin");
});

const promoCode = (id: string, changes: object = {}) => ({
  __typename: "PromoCode",
  id,
  code: "WELCOME10",
  discountType: 0,
  basisPoints: 1_000,
  amountCents: null,
  expiresAt: null,
  isExpired: false,
  isOneTimeUseOnly: false,
  timesUsed: 3,
  revision: 1,
  ...changes,
});
const dollars = { discountType: 1, basisPoints: null, amountCents: 142_405 };
const list = (...promoCodes: unknown[]): Mock => ({
  request: { query: PromoCodesDocument },
  result: { data: { promoCodes } },
});
const failure = (code: string, message: string, fields?: object) => ({
  errors: [new GraphQLError(message, { extensions: { code, ...(fields ? { fields } : {}) } })],
});
const adding = (input: object, result: Mock["result"] = { data: { addPromoCode: promoCode("new") } }): Mock => ({
  request: { query: AddPromoCodeDocument, variables: { input } },
  result,
});
const updating = (input: object, result: Mock["result"] = { data: { updatePromoCode: promoCode("p-1") } }): Mock => ({
  request: { query: UpdatePromoCodeDocument, variables: { id: "p-1", input, revision: 1 } },
  result,
});

function open(...mocks: Mock[]) {
  return renderWeb(
    <MockedProvider mocks={[...mocks, savedViews()]}>
      <ManagePromoCodesPage />
    </MockedProvider>,
    { at: "/admin/manage-promo-codes/" },
  );
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

test("lists codes with discount, expiry date and number of uses", async () => {
  open(
    list(
      promoCode("p-1", { expiresAt: "2027-06-30T23:59:59.999Z" }),
      promoCode("p-2", { code: "CONFERENCE", ...dollars, isOneTimeUseOnly: true, timesUsed: 0 }),
      promoCode("p-3", { code: "ODD", basisPoints: 3_333, expiresAt: "2026-01-02T10:00:00.000Z", isExpired: true }),
    ),
  );
  expect(await screen.findByRole("heading", { level: 1, name: "Manage Promo Codes" })).toBeTruthy();
  expect(await screen.findByText("WELCOME10")).toBeTruthy();
  const cells = screen
    .getAllByRole("row")
    .map((row) => [...row.querySelectorAll("th, td:not(:last-child)")].map((cell) => cell.textContent));
  expect(cells).toEqual([
    ["Promo Code", "Discount type", "Discount value", "Expiry Date", "One time use only", "Times used", "Actions"],
    ["WELCOME10", "Percentage", "10.0%", "30/06/2027", "No", "3"],
    ["CONFERENCE", "Dollars Off", "A$1,424.05", "Never", "Yes", "0"],
    ["ODD", "Percentage", "33.3%", "02/01/2026Expired", "No", "3"],
  ]);
});

test("shows an empty state without codes, and ten codes per page", async () => {
  const view = open(list());
  expect(await screen.findByText("No Promo Codes.")).toBeTruthy();
  view.unmount();
  open(list(...Array.from({ length: 11 }, (_, n) => promoCode(`p-${n}`, { code: `CODE-${n}` }))));
  expect(await screen.findByText("1–10 of 11")).toBeTruthy();
});

test("adds a percentage code, closes and resets the dialog, and reloads the list", async () => {
  const input = {
    code: "Spring",
    discountType: 0,
    discountValue: "12.5",
    expiryDate: "2027-06-30T23:59:59.999Z",
    isOneTimeUseOnly: true,
  };
  const view = open(list(), adding(input), list(promoCode("new", { code: "Spring" })));
  const form = await openForm(view);
  fill({ "Promo Code": " Spring ", "Discount value": "12.5", "Expiry Date": "30/06/2027" });
  await view.user.click(form.getByLabelText("One time use only"));
  await view.user.click(form.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("You have successfully added the promo code.")).toBeTruthy();
  expect(await screen.findByText("Spring")).toBeTruthy();
  await isClosed();
  await openForm(view);
  expect(["Promo Code", "Discount value", "Expiry Date"].map((label) => field(label).value)).toEqual(["", "", ""]);
  expect(field("One time use only").checked).toBe(false);
});

test("switches the value between a percentage and an amount, and formats the amount", async () => {
  const input = {
    code: "Fifty",
    discountType: 1,
    discountValue: "A$50.00",
    expiryDate: null,
    isOneTimeUseOnly: false,
  };
  const view = open(list(), adding(input), list());
  const form = await openForm(view);
  fill({ "Promo Code": "Fifty", "Discount value": "10" });
  expect(form.getByText("%")).toBeTruthy();
  fill({ "Discount type": "1" });
  await waitFor(() => expect(field("Discount value").value).toBe(""));
  expect(form.getByText("AUD")).toBeTruthy();
  fill({ "Discount value": "50" });
  fireEvent.blur(field("Discount value"));
  await waitFor(() => expect(field("Discount value").value).toBe("A$50.00"));
  await view.user.click(form.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("You have successfully added the promo code.")).toBeTruthy();
});

test.each([
  [{}, { "Promo Code": "Promo code is required.", "Discount value": "Discount value is required." }],
  [
    { "Promo Code": "A", "Discount value": "100.01", "Expiry Date": "31/02/2027" },
    {
      "Promo Code": null,
      "Discount value": "Must be a percentage above 0 and up to 100, with at most two decimals.",
      "Expiry Date": "Must be a date.",
    },
  ],
  [
    { "Promo Code": "A", "Discount type": "1", "Discount value": "fifty" },
    { "Discount value": "Must be an amount above A$0.00, such as A$50.00." },
  ],
])("rejects %j with messages under the fields", async (typed, sentences) => {
  const view = open(list());
  const form = await openForm(view);
  for (const [label, value] of Object.entries(typed)) fill({ [label]: value });
  await view.user.click(form.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(Object.fromEntries(Object.keys(sentences).map((label) => [label, messageUnder(field(label))]))).toEqual(
      sentences,
    ),
  );
});

test("shows a duplicate code error under its field, and a fallback for errors without a message", async () => {
  const input = { code: "Fifty", discountType: 0, discountValue: "5", expiryDate: null, isOneTimeUseOnly: false };
  const taken = "This promo code already exists.";
  const view = open(
    list(),
    adding(input, failure("CONFLICT", taken, { code: [taken] })),
    adding(input, failure("INTERNAL", "")),
  );
  const form = await openForm(view);
  fill({ "Promo Code": "Fifty", "Discount value": "5" });
  await view.user.click(form.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(messageUnder(field("Promo Code"))).toBe(taken));
  await view.user.click(form.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Unable to add the promo code.")).toBeTruthy();
  expect(field("Promo Code").value).toBe("Fifty");
});

test.each([
  ["a whole day", { expiresAt: "2027-06-30T23:59:59.999Z" }, "10", "2027-06-30T23:59:59.999Z"],
  ["a date with a time", { expiresAt: "2027-06-30T10:00:00.000Z" }, "10", "2027-06-30T10:00:00.000Z"],
  ["an amount", { ...dollars, expiresAt: "2027-06-30T23:59:59.999Z" }, "A$1,424.05", "2027-06-30T23:59:59.999Z"],
])(
  "fills the edit form with the current values, and keeps %s when saved without changes",
  async (_, is, value, expiryDate) => {
    const before = promoCode("p-1", is);
    const { code, discountType, isOneTimeUseOnly } = before;
    const input = { code, discountType, discountValue: value, expiryDate, isOneTimeUseOnly };
    const view = open(list(before), updating(input), list(before));
    await choose(view, "Edit");
    const form = within(await screen.findByRole("dialog", { name: "Update promo code" }));
    expect(field("Expiry Date").value).toBe("30/06/2027");
    expect(field("Discount value").value).toBe(value);
    expect(form.getByText(/Used 3 times so far/)).toBeTruthy();
    await view.user.click(form.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("You have successfully updated the promo code.")).toBeTruthy();
    await isClosed();
  },
);

test("restores the value when the type is switched back, and shows an error if the update fails", async () => {
  const input = {
    code: "WELCOME10",
    discountType: 0,
    discountValue: "10",
    expiryDate: null,
    isOneTimeUseOnly: false,
  };
  const view = open(list(promoCode("p-1")), updating(input, failure("INTERNAL", "")));
  await choose(view, "Edit");
  const form = within(await screen.findByRole("dialog"));
  fill({ "Discount type": "1" });
  await waitFor(() => expect(field("Discount value").value).toBe(""));
  fill({ "Discount type": "0" });
  await waitFor(() => expect(field("Discount value").value).toBe("10"));
  await view.user.click(form.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Unable to update the promo code.")).toBeTruthy();
});

test("deletes a code after confirmation, shows an error if that fails, and reloads the list", async () => {
  const removal = (result: Mock["result"]): Mock => ({
    request: { query: DeletePromoCodeDocument, variables: { id: "p-1" } },
    result,
  });
  const one = list(promoCode("p-1"));
  const gone = removal({ data: { deletePromoCode: true } });
  const view = open(one, removal(failure("INTERNAL", "")), one, gone, list());
  const confirm = async (answer: string) => {
    await choose(view, "Delete");
    const dialog = within(await screen.findByRole("dialog", { name: "Delete promo code" }));
    expect(dialog.getByText(/Customers can.t use WELCOME10 any more/)).toBeTruthy();
    await view.user.click(dialog.getByRole("button", { name: answer }));
    await isClosed();
  };
  await confirm("Cancel");
  await confirm("Yes");
  expect(await screen.findByText("Unable to delete the promo code.")).toBeTruthy();
  await confirm("Yes");
  expect(await screen.findByText("You have successfully deleted the promo code.")).toBeTruthy();
  expect(await screen.findByText("No Promo Codes.")).toBeTruthy();
});

test("shows an error if the codes can't be loaded, and retries", async () => {
  const view = open({ request: { query: PromoCodesDocument }, result: failure("INTERNAL", "") }, list());
  expect(await screen.findByText("Unable to load the promo codes.")).toBeTruthy();
  await view.user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("No Promo Codes.")).toBeTruthy();
});

test.each(["regular", "corporate"] as const)("redirects a %s customer to the home page", async (role) => {
  signInAs(role);
  const route = routes.find(({ path }) => path === paths.managePromoCodes);
  const at = "/admin/manage-promo-codes/";
  const view = renderWeb(<Guard access={route?.access ?? { kind: "public" }}>secret</Guard>, { at });
  await waitFor(() => expect(view.place()).toBe("/"));
  expect(screen.queryByText("secret")).toBeNull();
});
