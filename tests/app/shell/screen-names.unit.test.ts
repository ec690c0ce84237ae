import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fillBrand } from "#web/platform/paths.ts";
import { pages, type PageName } from "#web/app/pages.tsx";
import { listLinkTexts } from "#tests/support/link-texts.ts";

const root = join(import.meta.dirname, "../../..");
const customersAccess = ["customers", "triallers", "payers", "subscribers", "signedIn"];

interface Screen {
  name: string;
  heading: string;
  words: string[];
}

function readScreens(): Screen[] {
  const text = readFileSync(join(root, "docs/glossary.md"), "utf8");
  const section = text.split("## Screens")[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| "));
  return rows.slice(1).map((line) => {
    const [, name = "", heading = "", words = ""] = line.split("|").map((cell) => cell.trim());
    return { name, heading, words: words === "" ? [] : words.split(", ") };
  });
}

const names = (Object.keys(pages) as PageName[]).filter((name) => customersAccess.includes(pages[name].access));
const getName = (page: PageName) => {
  const { name, title }: { name?: string; title: string } = pages[page];
  return fillBrand(name ?? title);
};

test("has a row of the glossary for each screen of a customer, with its name and heading", () => {
  const expected = names.map((page) => `${getName(page)}: ${fillBrand(pages[page].title)}`);
  const found = readScreens().map(({ name, heading }) => `${name}: ${heading}`);
  // The address with a product is the same screen.
  const isOther = (one: string) => one === "Manage Subscription: Manage Subscription";
  expect(found.toSorted()).toEqual([...new Set(expected)].filter((one) => !isOther(one)).toSorted());
});

test("calls each screen of a customer by its name in every link", () => {
  const screens = new Map(readScreens().map((screen) => [screen.name, screen]));
  const files = globSync("web/**/*.{ts,tsx}", { cwd: root }).filter((file) => !file.startsWith("web/generated"));
  const texts = files.flatMap((file) => listLinkTexts(join(root, file)).map((link) => ({ ...link, file })));
  const ofCustomers = texts.filter(({ page }) => names.includes(page) && page !== "manageSubscriptionTo");
  expect(ofCustomers.length).toBeGreaterThan(50);
  const others = ofCustomers.filter(({ page, text }) => {
    const screen = screens.get(getName(page));
    // Words within a sentence start with a small letter.
    const isSentence = /^[a-z]/.test(text);
    return !isSentence && text !== screen?.name && !screen?.words.includes(text);
  });
  expect(others.map(({ page, text, file }) => `${file} calls ${page} '${text}'`)).toEqual([]);
});

test("answers with 'Yes' only where the specification says so", () => {
  const files = globSync("web/**/*.tsx", { cwd: root });
  expect(
    files
      .filter((file) => /confirmLabel="Yes"|>\s*Yes\s*<\/(Busy)?Button>/.test(readFileSync(join(root, file), "utf8")))
      .toSorted(),
  ).toEqual(["web/billing/subscriptions/change-plan-form.tsx", "web/billing/subscriptions/subscribe-form.tsx"]);
});
