import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import FaqsPage from "#web/pages/public/faqs.tsx";
import { renderPage } from "#tests/support/render-page.tsx";

const box = () => screen.findByRole("searchbox", { name: "Search" });
// Uses attributes, because queries by role take seconds with hundreds of elements.
const questions = (expanded: boolean) =>
  [...document.querySelectorAll<HTMLElement>(`h3 button[aria-expanded=${expanded}]`)].filter(
    (button) => !button.closest("[hidden]"),
  );
const openQuestions = () => questions(true);
const shownQuestions = () => [...questions(false), ...openQuestions()].map(({ textContent }) => textContent);

test("lists all questions closed, by section, with an anchor each", async () => {
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

test("searches questions and answers by word prefix, opens a few matches and keeps the query in the URL", async () => {
  const { user, place } = await renderPage(<FaqsPage />, "/faqs/");
  await user.click(await box());
  await user.paste("INVÓIC");
  const status = screen.getByRole("status");
  await waitFor(() => expect(status.textContent).toMatch(/^\d+ of 48 questions$/));
  const found = Number(status.textContent?.split(" ")[0]);
  await waitFor(() => expect(openQuestions()).toHaveLength(found));
  expect(shownQuestions()).toContain("Where are my tax invoices?");
  expect(shownQuestions()).not.toContain("What does XER Bridge convert?");
  await waitFor(() => expect(place()).toBe("/faqs/?query=INV%C3%93IC"));
  await user.clear(await box());
  await waitFor(() => expect(place()).toBe("/faqs/"));
  await waitFor(() => expect(shownQuestions().length).toBeGreaterThanOrEqual(48));
});

test("searches for the query in the URL, and suggests searches and support if nothing matches", async () => {
  const { user } = await renderPage(<FaqsPage />, "/faqs/?query=zzyzx");
  await waitFor(async () => expect((await box()).getAttribute("value")).toBe("zzyzx"));
  expect(await screen.findByRole("heading", { name: "No questions match" })).toBeTruthy();
  expect(
    screen.getByText(/^Check the spelling .* contact technical support: support@xersolutions\.example/),
  ).toBeTruthy();
  expect(screen.getByRole("status").textContent).toBe("No questions found");
  await user.click(screen.getByRole("button", { name: "refund" }));
  await waitFor(() => expect(shownQuestions()[0]).toBe("Do you give refunds?"));
  expect(screen.queryByRole("heading", { name: "No questions match" })).toBeNull();
});

test("finds questions despite different words, endings or spelling, but quoted words only as a phrase", async () => {
  const { user } = await renderPage(<FaqsPage />, "/faqs/");
  const search = (await box()) as HTMLInputElement;
  for (const [query, question] of [
    ["refund money back", "Do you give refunds?"],
    ["how do I get a refund?", "Do you give refunds?"],
    ["reimbursment", "Do you give refunds?"],
    ["cancel my subscripton", "How do I cancel?"],
    ["new laptop", "How do I move my licence to another machine?"],
    ["credit card", "How can I pay?"],
    ["vat", "Is tax added?"],
    ["money back", "Do you give refunds?"],
  ]) {
    fireEvent.change(search, { target: { value: query } });
    await waitFor(() => expect([query, shownQuestions()[0]]).toEqual([query, question]));
    // Weak matches are left out.
    expect(shownQuestions().length).toBeLessThan(12);
  }
  fireEvent.change(search, { target: { value: '"money back"' } });
  expect(await screen.findByRole("heading", { name: "No questions match" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Clear the search" }));
  expect(search.value).toBe("");
  expect(document.activeElement).toBe(search);
  expect(screen.queryByRole("button", { name: "Clear the search" })).toBeNull();
  await user.paste("tax");
  await user.keyboard("{Escape}");
  expect(search.value).toBe("");
  await user.click(await screen.findByRole("button", { name: "Open all" }));
  expect(openQuestions()).toHaveLength(48);
  await user.click(screen.getByRole("button", { name: "Close all" }));
  expect(openQuestions()).toEqual([]);
});

test("opens the answer of the question in the URL fragment", async () => {
  await renderPage(<FaqsPage />, "/faqs/#gst");
  await waitFor(() => expect(openQuestions()).toHaveLength(1));
  expect(openQuestions()[0]?.closest("#gst")).toBeTruthy();
});
