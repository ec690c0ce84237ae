import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { Accordion } from "#web/ui/accordion.tsx";
import { renderWeb } from "#tests/support/render-web.tsx";

const items = [
  { id: "calendars", title: "Calendars", content: <p>Eight hours a day.</p> },
  {
    id: "lags",
    title: "Lags",
    content: (
      <p id="percent">
        In percent, <a href="/faqs/">see there</a>.
      </p>
    ),
  },
];

const button = (name: string) => screen.getByRole("button", { name });
const panelOf = (name: string) => document.getElementById(button(name).getAttribute("aria-controls") ?? "");

test("items start closed, as headings with buttons, and several may be open", async () => {
  const { user } = renderWeb(<Accordion items={items} />);
  expect(screen.getAllByRole("heading", { level: 3 })).toHaveLength(2);
  for (const { title } of items) {
    expect(button(title).getAttribute("aria-expanded")).toBe("false");
    expect(panelOf(title)?.getAttribute("hidden")).toBe("until-found");
  }
  await user.click(button("Calendars"));
  await user.click(button("Lags"));
  for (const { title } of items) {
    expect(button(title).getAttribute("aria-expanded")).toBe("true");
    expect(panelOf(title)?.hasAttribute("hidden")).toBe(false);
  }
  await user.keyboard("{Enter}");
  expect(panelOf("Lags")?.getAttribute("hidden")).toBe("until-found");
});

test("what the browser's search finds in a closed item opens it", () => {
  renderWeb(<Accordion items={items} />);
  fireEvent(panelOf("Lags") as Element, new Event("beforematch"));
  expect(button("Lags").getAttribute("aria-expanded")).toBe("true");
});

test.each([
  ["/faqs/#lags", "Lags"],
  ["/faqs/#percent", "Lags"],
])("the address %s opens %s", async (at, title) => {
  renderWeb(<Accordion items={items} level={2} />, { at });
  await waitFor(() => expect(button(title).getAttribute("aria-expanded")).toBe("true"));
  expect(button("Calendars").getAttribute("aria-expanded")).toBe("false");
});

test.each(["/faqs/#nothing", "/faqs/#%E0%A4%A"])("the address %s opens nothing and harms nothing", (at) => {
  renderWeb(<Accordion items={items} />, { at });
  for (const { title } of items) expect(button(title).getAttribute("aria-expanded")).toBe("false");
});
