import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import FaqsPage from "#web/site/faqs/faqs-page.tsx";
import LegalsPage from "#web/site/legal-text/legals-page.tsx";
import PrivacyPage from "#web/site/legal-text/privacy-policy-page.tsx";
import TermsPage from "#web/site/legal-text/terms-and-conditions-page.tsx";
import { renderPage } from "#tests/support/render-page.tsx";

const box = () => screen.findByRole("searchbox", { name: "Search" });
// Uses attributes, because queries by role take seconds with hundreds of elements.
const questions = (expanded: boolean) =>
  [...document.querySelectorAll<HTMLElement>(`h3 button[aria-expanded=${expanded}]`)].filter(
    (button) => !button.closest("[hidden]"),
  );
const openQuestions = () => questions(true);
const shownQuestions = () => [...questions(false), ...openQuestions()].map(({ textContent }) => textContent);

test("FAQs lists all questions closed, by section, with an anchor each", async () => {
  await renderPage(<FaqsPage />, "/faqs/");
  await box();
  expect(screen.getByRole("heading", { level: 1, name: "Frequently Asked Questions" })).toBeTruthy();
  expect(shownQuestions().length).toBeGreaterThanOrEqual(25);
  expect(openQuestions()).toEqual([]);
  const sections = within(screen.getByRole("navigation", { name: "Sections" })).getAllByRole("link");
  for (const link of sections) {
    const heading = document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
    expect(heading?.tagName).toBe("H2");
    expect(link.textContent).toContain(heading?.textContent);
  }
  expect(document.getElementById("gst")?.querySelector("button")?.textContent).toBe("Is tax added?");
});

test("FAQs searches questions and answers by word prefix, opens a few matches and keeps the query in the URL", async () => {
  const { user, place } = await renderPage(<FaqsPage />, "/faqs/");
  await user.click(await box());
  await user.paste("INVÓIC");
  const status = screen.getByRole("status");
  await waitFor(() => expect(status.textContent).toMatch(/^\d+ of 46 questions$/));
  const found = Number(status.textContent?.split(" ")[0]);
  await waitFor(() => expect(openQuestions()).toHaveLength(found));
  expect(shownQuestions()).toContain("Where are my tax invoices?");
  expect(shownQuestions()).not.toContain("What does Planvarro convert?");
  await waitFor(() => expect(place()).toBe("/faqs/?query=INV%C3%93IC"));
  await user.clear(await box());
  await waitFor(() => expect(place()).toBe("/faqs/"));
  await waitFor(() => expect(shownQuestions().length).toBeGreaterThanOrEqual(46));
});

test("FAQs searches for the query in the URL, and suggests searches and support if nothing matches", async () => {
  const { user } = await renderPage(<FaqsPage />, "/faqs/?query=zzyzx");
  await waitFor(async () => expect((await box()).getAttribute("value")).toBe("zzyzx"));
  expect(await screen.findByRole("heading", { name: "No questions match" })).toBeTruthy();
  expect(screen.getByText(/^Check the spelling .* contact technical support: support@planvarro\.example/)).toBeTruthy();
  expect(screen.getByRole("status").textContent).toBe("No questions found");
  await user.click(screen.getByRole("button", { name: "refund" }));
  expect(document.activeElement).toBe(await box());
  await waitFor(() => expect(shownQuestions()[0]).toBe("Do you give refunds?"));
  expect(screen.queryByRole("heading", { name: "No questions match" })).toBeNull();
});

test("a link from an answer that a search found to another answer ends the search and opens the other one", async () => {
  const { user, place } = await renderPage(<FaqsPage />, "/faqs/?query=how+many+machines");
  await waitFor(() => expect(shownQuestions().length).toBeLessThan(46));
  const link = document.querySelector('#how-many-machines a[href="/faqs/#move-to-another-machine"]');
  await user.click(link as HTMLElement);
  await waitFor(() => expect(shownQuestions()).toHaveLength(46));
  expect(place()).toBe("/faqs/#move-to-another-machine");
  const opened = ["How do I move my licence to another machine?"];
  await waitFor(() => expect(openQuestions().map(({ textContent }) => textContent)).toEqual(opened));
});

test("FAQs finds questions despite different words, endings or spelling, and quoted words as a phrase", async () => {
  await renderPage(<FaqsPage />, "/faqs/");
  const search = await box();
  for (const [query, question] of [
    ["refund money back", "Do you give refunds?"],
    ["money back", "Do you give refunds?"],
    ["how do I get a refund?", "Do you give refunds?"],
    ["reimbursment", "Do you give refunds?"],
    ["cancel my subscripton", "How do I cancel?"],
    ["new laptop", "How do I move my licence to another machine?"],
    ["credit card", "How can I pay?"],
    ["vat", "Is tax added?"],
    ['"money back"', undefined],
  ] as const) {
    fireEvent.change(search, { target: { value: query } });
    await waitFor(() => expect([query, shownQuestions()[0]]).toEqual([query, question]));
    // Weak matches are left out.
    expect([query, shownQuestions().length < 12]).toEqual([query, true]);
  }
  // A question that is being typed matches nothing yet.
  fireEvent.change(search, { target: { value: "how do I c" } });
  const status = screen.getByRole("status");
  await waitFor(() => expect(status.textContent).toBe("46 of 46 questions"));
});

const single = "Single Licence Subscription Terms";
const corporate = "Corporate Licence Subscription Terms";

test("links to two pages and shows both terms closed, with length and date: 27 clauses, and a PDF and contact", async () => {
  const { user } = await renderPage(<LegalsPage />, "/legals/");
  await screen.findByRole("heading", { level: 1, name: "Legals" });
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
  expect((await screen.findByRole("button", { name: single })).getAttribute("aria-expanded")).toBe("false");
  await user.click(screen.getByRole("button", { name: single }));
  expect(document.querySelectorAll("#single-licence-terms-text h3")).toHaveLength(27);
  await user.click(screen.getByRole("button", { name: corporate }));
  const pdf = screen.getByRole("link", { name: /Download the corporate terms \(PDF\)/ });
  expect(pdf.getAttribute("href")).toBe("/media/corporate-licence-terms.pdf");
  expect(screen.getByRole("link", { name: "corporate@planvarro.example" })).toBeTruthy();
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
  // Only the privacy policy starts with a summary.
  expect(screen.queryByRole("region", { name: "In short" }) !== null).toBe(Page === PrivacyPage);
});
