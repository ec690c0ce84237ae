import { fireEvent, screen, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { field } from "#tests/support/fill-form.ts";
import { type Mock, renderMocked } from "#tests/support/mock-query.tsx";
import ManageSubscriptionToPage from "#web/billing/subscriptions/manage-subscription.tsx";

export const NUMBER = "4242424242424242";

export const openSubscribeForm = (mocks: Mock[], productId = "xer-professional-yearly") =>
  renderMocked(
    mocks,
    <Routes>
      <Route path="/manage-subscription/:productId/" element={<ManageSubscriptionToPage />} />
      <Route path="*" element="elsewhere" />
    </Routes>,
    `/manage-subscription/${productId}/`,
  );

export type View = ReturnType<typeof openSubscribeForm>;
export const getButton = (name: string) => screen.getByRole("button", { name });
export const typeInto = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
export const findAlertText = async () => (await screen.findByRole("alert")).textContent;

export async function fillCardAndNotice() {
  await screen.findByLabelText("Card Number");
  typeInto("Card Number", NUMBER);
  typeInto("Expiry Date", "1234");
  typeInto("CVC", "123");
  fireEvent.click(field("I acknowledge this notice"));
}

export async function confirm(view: View) {
  await view.user.click(getButton("Subscribe"));
  await view.user.click(await screen.findByRole("button", { name: "Yes" }));
}

export async function submitAndConfirm(view: View) {
  await fillCardAndNotice();
  await confirm(view);
}

export const cardAccepted = { body: { id: "pm_1" } };
export const getPriceBox = () => within(screen.getByRole("region", { name: "Price" }));

const levelNames: Record<string, string> = {
  "xer-professional-monthly": "Professional, monthly",
  "xer-professional-yearly": "Professional, yearly",
  "xer-standard-monthly": "Standard, monthly",
};

const levels = () => within(screen.getByRole("radiogroup", { name: "Subscription Level" }));

/** Returns the option of a plan price in the radio group Subscription Level. */
export const getLevel = (id: string) =>
  levels().getByRole<HTMLInputElement>("radio", { name: new RegExp(`^${levelNames[id]}`) });

/** Returns the names of the options of Subscription Level. */
export const listLevels = () =>
  levels()
    .getAllByRole("radio")
    .map((option) => option.getAttribute("aria-label"));

/** Returns the id of the chosen plan price, or an empty text if nothing is chosen. */
export const getChosenLevel = () =>
  levels()
    .getAllByRole<HTMLInputElement>("radio")
    .find(({ checked }) => checked)?.value ?? "";
