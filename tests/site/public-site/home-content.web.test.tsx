import { act, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import content from "content:home";
import people from "content:people";
import { brand } from "#schema/brand.ts";
import { formatUsAmount } from "#schema/money.ts";
import { getPlanPrices } from "#web/site/products/plan-prices.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import HomePage from "#web/site/home/home-page.tsx";

beforeEach(resetSession);

/** Renders the page and waits for its pictures. */
async function open() {
  const view = renderWeb(<HomePage />);
  await act(() => vi.dynamicImportSettled());
  return view;
}

/** Returns every visible text of a content file. */
function texts(value: unknown, key = ""): string[] {
  if (typeof value === "string")
    return ["id", "picture", "product", "to", "path", "description", "html", "initials"].includes(key) ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((item) => texts(item));
  if (value && typeof value === "object") return Object.entries(value).flatMap(([name, part]) => texts(part, name));
  return [];
}

test("shows every text of home.md, and people and quotes of people.md, and marks invented people as samples", async () => {
  await open();
  const shown = (document.body.textContent ?? "").replaceAll(/\s+/g, " ");
  const { title: _, ...home } = content;
  const { title: __, ...peopleTexts } = people;
  const described = [...people.directors, ...people.businessSpecialists];
  const shownOfPeople = texts(peopleTexts).filter((text) => !described.some((one) => one.text === text));
  const expected = [...texts(home), ...shownOfPeople];
  expect(expected.length).toBeGreaterThan(70);
  expect(expected.filter((text) => !shown.includes(text))).toEqual([]);
  expect(document.title).toContain(content.title);
  expect(screen.getAllByRole("heading", { level: 1 })).toHaveLength(1);
  expect(screen.getAllByRole("heading")[0]?.textContent?.replaceAll("\n", " ")).toBe(content.heading);
  for (const name of [content.people.heading, content.endorsements.heading]) {
    const part = within(screen.getByRole("region", { name }));
    expect(part.getByText("Sample content")).toBeTruthy();
    expect(part.getByText(new RegExp(people.note))).toBeTruthy();
  }
  expect(people.endorsements.every(({ sample, name }) => sample && /sample/i.test(name))).toBe(true);
});

test("shows the levels with their prices, flagship first, and keeps the chosen interval", async () => {
  const { user } = await open();
  const levels = within(screen.getByRole("region", { name: content.products.heading }));
  const names = levels.getAllByRole("article").map((card) => within(card).getByRole("heading").textContent);
  expect(names).toEqual(["Professional", "Plus+", "Standard"]);
  const { monthly, yearly } = getPlanPrices(`${brand.segment}-professional`);
  for (const price of [`US$${formatUsAmount(monthly)} a month`, `US$${formatUsAmount(yearly)} a year`])
    expect(levels.getAllByRole("article")[0]?.textContent).toContain(price);
  const subscribe = () => levels.getByRole("link", { name: "Subscribe" }).getAttribute("href");
  expect(subscribe()).toBe("/trial-and-subscribe/");
  await user.click(levels.getByRole("button", { name: "Yearly" }));
  expect(subscribe()).toBe("/trial-and-subscribe/?interval=yearly");
});

test("offers visitors the trial and signed-in users their account", async () => {
  await open();
  const trial = screen.getAllByRole("link", { name: "Trial Professional Now for Free" });
  expect(trial.map((link) => link.getAttribute("href"))).toEqual(trial.map(() => "/trial-xer/"));
  expect(screen.getByRole("link", { name: "Register" }).getAttribute("href")).toBe("/register/");
  act(() => {
    signInAs("regular");
  });
  expect(screen.getByRole("link", { name: "Go to My Account" }).getAttribute("href")).toBe("/my-account/");
  expect(screen.queryByRole("link", { name: "Register" })).toBeNull();
});
