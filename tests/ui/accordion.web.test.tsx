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
const getPanel = (name: string) => document.getElementById(button(name).getAttribute("aria-controls") ?? "");

test("starts with closed items and allows several open ones", async () => {
  const { user } = renderWeb(<Accordion items={items} />);
  expect(screen.getAllByRole("heading", { level: 3 })).toHaveLength(2);
  for (const { title } of items) {
    expect(button(title).getAttribute("aria-expanded")).toBe("false");
    expect(getPanel(title)?.getAttribute("hidden")).toBe("until-found");
  }
  await user.click(button("Calendars"));
  await user.click(button("Lags"));
  for (const { title } of items) {
    expect(button(title).getAttribute("aria-expanded")).toBe("true");
    expect(getPanel(title)?.hasAttribute("hidden")).toBe(false);
  }
  await user.keyboard("{Enter}");
  expect(getPanel("Lags")?.getAttribute("hidden")).toBe("until-found");
});

test("opens a closed item when the browser's search finds its text", () => {
  renderWeb(<Accordion items={items} />);
  fireEvent(getPanel("Lags") as Element, new Event("beforematch"));
  expect(button("Lags").getAttribute("aria-expanded")).toBe("true");
});

test("opens the item of the URL, and ignores an unknown or malformed fragment", async () => {
  for (const fragment of ["lags", "percent"]) {
    const { unmount } = renderWeb(<Accordion items={items} level={2} />, { at: `/faqs/#${fragment}` });
    await waitFor(() => expect(button("Lags").getAttribute("aria-expanded")).toBe("true"));
    expect(button("Calendars").getAttribute("aria-expanded")).toBe("false");
    unmount();
  }
  for (const fragment of ["nothing", "%E0%A4%A"]) {
    const { unmount } = renderWeb(<Accordion items={items} />, { at: `/faqs/#${fragment}` });
    for (const { title } of items) expect(button(title).getAttribute("aria-expanded")).toBe("false");
    unmount();
  }
});
