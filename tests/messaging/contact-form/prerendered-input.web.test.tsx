import { render, screen, waitFor } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { afterEach, beforeEach, expect, test } from "vitest";
import { field } from "#tests/support/fill-form.ts";
import { mockApi } from "#tests/support/mock-api.ts";
import { resetSession, signInAs } from "#tests/support/render-web.tsx";
import ContactUsPage from "#web/pages/public/contact-us.tsx";

const page = (
  <MemoryRouter initialEntries={["/contact-us/"]}>
    <ContactUsPage />
  </MemoryRouter>
);

beforeEach(resetSession);
afterEach(() => {
  document.body.replaceChildren();
});

/** Renders the page as static HTML, before any script has run. */
function renderStaticPage() {
  const container = document.createElement("div");
  container.innerHTML = renderToString(page);
  document.body.append(container);
  return { hydrate: () => render(page, { container, hydrate: true }) };
}

const type = (label: string, text: string) => {
  field(label).value = text;
};

test("keeps input that was typed before the scripts loaded", async () => {
  const { hydrate } = renderStaticPage();
  type("Name", "Grace Hopper");
  type("Message", "Is there a trial?\nFor two of us?");
  hydrate();
  await waitFor(() => expect(screen.getByRole("button", { name: "Send" })).toBeTruthy());
  expect(field("Name").value).toBe("Grace Hopper");
  expect(field("Message").value).toBe("Is there a trial?\nFor two of us?");
  expect(field("Email").value).toBe("");
});

test("keeps the input of a signed-in user and prefills the other fields", async () => {
  const me = { id: "user-1", firstName: "Ada", lastName: "Byron", email: "ada@work.test", mobile: "0499 999 999" };
  mockApi({ ContactSender: { me } });
  signInAs("regular");
  const { hydrate } = renderStaticPage();
  type("Name", "Countess");
  type("Message", "Good morning");
  hydrate();
  await waitFor(() => expect(field("Phone Number").value).toBe("0499 999 999"));
  expect(field("Name").value).toBe("Countess");
  expect(field("Email").value).toBe("ada@work.test");
  expect(field("Message").value).toBe("Good morning");
});
