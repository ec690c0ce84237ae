import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import LegalsPage from "#web/pages/public/legals.tsx";
import PrivacyPage from "#web/pages/public/privacy-policy.tsx";
import TermsPage from "#web/pages/public/terms-and-conditions.tsx";
import { renderPage } from "#tests/support/render-page.tsx";

const single = "Single Licence Subscription Terms";
const corporate = "Corporate Licence Subscription Terms";

test("shows both licence terms closed, with the length and date of each document, and a PDF and contact", async () => {
  const { user } = await renderPage(<LegalsPage />, "/legals/");
  expect((await screen.findByRole("button", { name: single })).getAttribute("aria-expanded")).toBe("false");
  const age = "last updated 01 September 2023";
  expect(screen.getByRole("button", { name: single, description: `27 clauses · ${age}` })).toBeTruthy();
  expect(screen.getByRole("button", { name: corporate, description: "PDF, 15 clauses" })).toBeTruthy();
  for (const [name, clauses, address] of [
    ["Terms and Conditions", 20, "/terms-and-conditions/"],
    ["Privacy Policy", 24, "/privacy-policy/"],
  ] as const) {
    const link = screen.getByRole("link", { name, description: `${clauses} clauses · ${age}` });
    expect(link.getAttribute("href")).toBe(address);
    expect(link.closest("h2")).toBeTruthy();
  }
  await user.click(screen.getByRole("button", { name: single }));
  expect(document.querySelectorAll("#single-licence-terms-text h3")).toHaveLength(27);
  await user.click(screen.getByRole("button", { name: corporate }));
  const pdf = screen.getByRole("link", { name: /Download the corporate terms \(PDF\)/ });
  expect(pdf.getAttribute("href")).toBe("/media/corporate-licence-terms.pdf");
  expect(screen.getByRole("link", { name: "corporate@xersolutions.example" })).toBeTruthy();
});

test("opens the terms that contain the clause in the URL fragment", async () => {
  await renderPage(<LegalsPage />, "/legals/#clause-18.2");
  await waitFor(() => expect(screen.getByRole("button", { name: single }).getAttribute("aria-expanded")).toBe("true"));
  expect(screen.getByRole("button", { name: corporate }).getAttribute("aria-expanded")).toBe("false");
});

test.each([
  ["Terms and Conditions", TermsPage, 20],
  ["Privacy Policy", PrivacyPage, 24],
])("%s has a date and a table of contents that links to each clause", async (name, Page, count) => {
  await renderPage(<Page />);
  await screen.findByRole("heading", { level: 1, name });
  const links = within(screen.getByRole("navigation", { name: "Contents" })).getAllByRole("link", { hidden: true });
  expect(links).toHaveLength(count);
  for (const link of links) {
    const heading = document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
    expect(heading?.textContent).toBe(link.textContent?.replace(".", ". "));
  }
  expect(screen.getByText("Last updated 01 September 2023")).toBeTruthy();
  if (Page === PrivacyPage) expect(await screen.findByRole("region", { name: "In short" })).toBeTruthy();
});
