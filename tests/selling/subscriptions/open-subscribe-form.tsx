import { MockedProvider } from "@apollo/client/testing/react";
import { fireEvent, screen, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { field } from "#tests/support/fill-form.ts";
import { renderWeb } from "#tests/support/render-web.tsx";
import ManageSubscriptionToPage from "#web/pages/public/manage-subscription-to.tsx";
import type { Mock } from "./portal.ts";

export const NUMBER = "4242424242424242";

/** Opens the subscribe form of a product. */
export function open(mocks: Mock[], productId = "xer-professional-yearly") {
  return renderWeb(
    <MockedProvider mocks={mocks}>
      <Routes>
        <Route path="/manage-subscription/:productId/" element={<ManageSubscriptionToPage />} />
        <Route path="*" element="elsewhere" />
      </Routes>
    </MockedProvider>,
    { at: `/manage-subscription/${productId}/` },
  );
}

export type View = ReturnType<typeof open>;
export const button = (name: string) => screen.getByRole("button", { name });
export const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
export const alert = async () => (await screen.findByRole("alert")).textContent;

export async function fillIn() {
  await screen.findByLabelText("Card Number");
  type("Card Number", NUMBER);
  type("Expiry Date", "1234");
  type("CVC", "123");
  fireEvent.click(field("I acknowledge this notice"));
}

export async function agree(view: View) {
  await fillIn();
  await view.user.click(button("Subscribe"));
  await view.user.click(await screen.findByRole("button", { name: "Yes" }));
}

export const taken = { body: { id: "pm_1" } };
export const priceBox = () => within(screen.getByRole("region", { name: "Price" }));
