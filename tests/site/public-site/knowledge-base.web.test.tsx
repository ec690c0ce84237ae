import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import articles from "content:articles";
import sections from "content:help-sections";
import tutorials from "content:tutorial-heads";
import { messageOfResultCode } from "#schema/result-code.ts";
import { getHelpPath, helpArticles } from "#schema/help-articles.ts";
import { renderWeb, resetSession } from "#tests/support/render-web.tsx";
import { AppRoutes } from "#web/app/router.tsx";
import { readContent } from "../../../scripts/content/read-content.ts";
import { paths } from "#web/platform/paths.ts";

beforeEach(resetSession);

const open = async (at: string) => {
  const view = renderWeb(<AppRoutes />, { at });
  await screen.findByRole("heading", { level: 1 });
  return view;
};
const toArticle = (article: string) => paths.knowledgeBaseArticle.href({ article });
const listed = () =>
  within(screen.getByRole("main"))
    .getAllByRole("link")
    .map((link) => link.getAttribute("href") ?? "")
    .filter((href) => href.startsWith(paths.knowledgeBase.href()));

test("has 25 articles, and one for each result code and warning", () => {
  expect(articles).toHaveLength(25);
  const ids = articles.map(({ id }) => id);
  expect(Object.values(helpArticles).filter((id) => !ids.includes(id))).toEqual([]);
  for (const { id, path } of articles) expect(path).toBe(toArticle(id));
  expect(getHelpPath("LICENCE_EXPIRED")).toBe(toArticle("licence-expired"));
});

test("lists all articles, and finds them, chapters and tutorials despite typing errors, each with its kind", async () => {
  await open(paths.knowledgeBase.href());
  expect(listed()).toHaveLength(articles.length);
  const box = screen.getByRole("searchbox", { name: "Search the knowledge base" });
  for (const [query, kind, title, href] of [
    ["virtul machne", "Article", "Virtual machines", toArticle("virtual-machines")],
    ["seats of this licence are in use", "Article", "No seat is available", toArticle("no-seat-available")],
    ["conversons used up", "Article", "The conversions of the trial are used up", toArticle("conversions-used-up")],
    ["lisence expired", "Article", "The licence has expired or expires soon", toArticle("licence-expired")],
    ["licnece exipred", "Article", "The licence has expired or expires soon", toArticle("licence-expired")],
    ["befor an exprot", "User guide", "Before an export", `${paths.userGuide.href()}#before-an-export`],
    ["read the log", "User guide", "Read the log", `${paths.userGuide.href()}#read-the-log`],
    ["instal the add-in", "Tutorial", "Install the add-in", `${paths.tutorials.href()}#tutorial-1`],
  ] as const) {
    fireEvent.change(box, { target: { value: query } });
    await waitFor(() => {
      const link = within(screen.getByRole("list", { name: "Results" })).getByRole("link", { name: title });
      expect(link.getAttribute("href")).toBe(href);
      expect(link.parentElement?.textContent).toContain(`${title} ${kind}`);
      if (kind === "Article") expect(listed()[0]).toBe(href);
    });
  }
  fireEvent.change(box, { target: { value: "zzzzzz" } });
  await screen.findByText(/Nothing found/);
  // A question that is being typed matches nothing yet.
  fireEvent.change(box, { target: { value: "what is" } });
  await waitFor(() => expect(listed()).toHaveLength(articles.length));
});

test("keeps the search in the URL, so it is back after reading an article", async () => {
  const { place } = await open(`${paths.knowledgeBase.href()}?query=virtul+machne`);
  const box = screen.getByRole<HTMLInputElement>("searchbox", { name: "Search the knowledge base" });
  await waitFor(() => expect(listed()[0]).toBe(toArticle("virtual-machines")));
  expect(box.value).toBe("virtul machne");
  fireEvent.change(box, { target: { value: "no seat " } });
  await waitFor(() => expect(place()).toBe(`${paths.knowledgeBase.href()}?query=no+seat`));
});

test("searches only pages with an anchor that exists", () => {
  const guide = readContent(".").get("pages/user-guide") as { html: string; steps: { id: string }[] };
  const headings = [...guide.html.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
  const anchors = [...guide.steps.map(({ id }) => id), ...headings];
  const found = sections.filter(({ kind }) => kind === "User guide").map(({ id }) => id.split("#")[1]);
  expect(found).toEqual(anchors);
  expect(sections.filter(({ kind }) => kind === "Article")).toHaveLength(articles.length);
  expect(sections.filter(({ kind }) => kind === "Tutorial")).toHaveLength(tutorials.length);
  const bad = sections.filter(({ title, answer }) => !title || answer.length < 40 || /[<>]|&\w+;/.test(title + answer));
  expect(bad).toEqual([]);
});

test("shows an article with the message it explains and a way to contact support", async () => {
  await open(getHelpPath("NO_SEATS_AVAILABLE"));
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("No seat is available");
  expect(screen.getByText(messageOfResultCode.NO_SEATS_AVAILABLE)).toBeTruthy();
  expect(await screen.findByText(/fewer seats than users/)).toBeTruthy();
  expect(screen.getByRole("heading", { name: "Not solved?" })).toBeTruthy();
  expect(listed()).toContain(getHelpPath("LEASE_EXPIRED"));
});

test("says that a new subscription has a new licence code", () => {
  const getText = (id: string) => articles.find((article) => article.id === id)?.html.replaceAll("\n", " ");
  for (const id of ["conversions-used-up", "licence-expired"]) expect(getText(id), id).toContain("new licence code");
});

test("shows Page Not Found for an unknown article", async () => {
  await open(toArticle("no-such-article"));
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Page Not Found");
});
