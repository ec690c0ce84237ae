import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import faqs from "content:faqs";
import tutorials from "content:tutorials";
import people from "content:people";
import { brand } from "#schema/brand.ts";
import { renderWeb, resetSession } from "#tests/support/render-web.tsx";
import { paths } from "#web/platform/paths.ts";
import { AppRoutes } from "#web/app/router.tsx";

beforeEach(resetSession);

const main = () => within(screen.getByRole("main"));
const hrefs = (links: readonly HTMLElement[]) => links.map((link) => link.getAttribute("href"));
const getLinkTargets = () => hrefs(main().getAllByRole("link"));
/** Opens a page, which must have this heading and no other of the first level. */
const open = async (at: string, heading: string) => {
  const view = renderWeb(<AppRoutes />, { at });
  // The first page loads all modules.
  await screen.findByRole("heading", { level: 1 });
  const headings = screen.getAllByRole("heading", { level: 1 }).map((title) => title.textContent);
  expect([at, ...headings]).toEqual([at, heading]);
  return view;
};
const region = (name: string) => within(main().getByRole("region", { name }));

const corporate = `mailto:${brand.mailboxes.corporate.email}`;

test("Services links to both paid services, and each describes the work, the steps and the contact", async () => {
  const services = await open(paths.services.href(), "Services");
  expect(getLinkTargets().slice(0, 2)).toEqual([paths.schedulingSupport.href(), paths.scheduleConversion.href()]);
  services.unmount();
  const { projectIntegration, projectControls, schedulingSupport, scheduleConversion } = paths;
  for (const [path, heading] of [
    [projectIntegration, "Project Integration Services"],
    [projectControls, "Project Controls Specialist Services"],
    [schedulingSupport, "Scheduling Support Services"],
    [scheduleConversion, "Schedule Conversion Services"],
  ] as const) {
    const { unmount } = await open(path.href(), heading);
    expect(region("What we do").getAllByRole("listitem")).toHaveLength(6);
    expect(region("How it works").getAllByRole("listitem")).toHaveLength(4);
    expect(main().getByRole("link", { name: "Request a quote" }).getAttribute("href")).toBe(corporate);
    const call = within(main().getByRole("complementary"));
    expect(call.getByRole("link", { name: brand.mailboxes.corporate.email }).getAttribute("href")).toBe(corporate);
    expect(call.getByRole("link", { name: "Contact us" }).getAttribute("href")).toBe(paths.contactUs.href());
    unmount();
  }
});

test("About shows the mission, the journey and the community, and marks the directors and the specialist as samples", async () => {
  await open(paths.weAre.href(), `We are ${brand.name}`);
  for (const heading of ["Mission", "Directors", "Business specialist", "Our journey", "Join the community"])
    expect(main().getByRole("heading", { level: 2, name: heading })).toBeTruthy();
  const directors = region("Directors").getAllByRole("listitem");
  expect(directors.map((person) => within(person).getByRole("heading").textContent)).toEqual(
    people.directors.map(({ name }) => name),
  );
  expect(region("Business specialist").getByRole("heading", { level: 3 }).textContent).toBe(
    people.businessSpecialists[0]?.name ?? "",
  );
  expect(main().getAllByText("Sample")).toHaveLength(people.directors.length + 1);
  expect(main().getByText(people.note)).toBeTruthy();
  expect(region("Our journey").getAllByRole("listitem")).toHaveLength(5);
  const community = document.getElementById(`join-the-${brand.segment}-community`) as HTMLElement;
  const links = within(community).getAllByRole("link");
  expect(hrefs(links)).toEqual([brand.networkUrl, brand.videoSiteUrl, paths.contactUs.href()]);
});

test("Resources says that the knowledge base is being updated and links to support", async () => {
  await open(paths.resources.href(), "Resources and Support");
  expect(main().getByText(/knowledge base is being updated.*write to technical support/)).toBeTruthy();
  expect(getLinkTargets()).toContain(`mailto:${brand.mailboxes.support.email}`);
});

test("user guide has a table of contents that links to its headings", async () => {
  await open(paths.userGuide.href(), "User Guide");
  const contents = within(main().getByRole("navigation", { name: "On this page" })).getAllByRole("link");
  const headings = main().getAllByRole("heading", { level: 2 }).slice(1);
  expect(contents.length).toBeGreaterThan(3);
  expect(contents.map((link) => [link.textContent, link.getAttribute("href")])).toEqual(
    headings.map((heading) => [heading.textContent, `#${heading.id}`]),
  );
});

test("news shows dated and undated items, with links to tutorials and the knowledge base", async () => {
  await open(paths.news.href(), "News");
  const dates = [...screen.getByRole("main").querySelectorAll("time")].map((time) => time.dateTime);
  expect(dates).toEqual(["2023-09-01"]);
  expect(main().getAllByRole("heading", { level: 2 }).length).toBeGreaterThan(4);
  expect(getLinkTargets()).toEqual(expect.arrayContaining([paths.tutorials.href(), paths.knowledgeBase.href()]));
});

test("the old support page shows the demonstration, the quick reference and the FAQs", async () => {
  const { user } = await open("/support/", "Support");
  const video = screen.getByRole("main").querySelector("video source");
  expect(video?.getAttribute("src")).toBe("/media/install-the-add-in.mp4");
  const reference = region("Installation quick reference");
  const marked = tutorials.filter(({ showOnSupportPage }) => showOnSupportPage);
  expect(reference.getAllByRole("link").map((link) => link.textContent)).toEqual(marked.map(({ title }) => title));
  expect(reference.getAllByRole("listitem")).toHaveLength(5 + marked.length);
  const expected = faqs.filter(({ show, showOnSupportPage }) => show && showOnSupportPage);
  const questions = region("Frequently asked questions").getAllByRole("button");
  expect(questions.map((button) => button.textContent)).toEqual(expected.map(({ title }) => title));
  expect(questions.map((button) => button.getAttribute("aria-expanded"))).not.toContain("true");
  const [first] = questions;
  if (first) await user.click(first);
  expect(first?.getAttribute("aria-expanded")).toBe("true");
  expect(getLinkTargets()).toEqual(
    expect.arrayContaining([paths.faqs.href(), paths.news.href(), paths.knowledgeBase.href()]),
  );
});

test("finds content pages without regard to case and slashes, and else shows Page Not Found", async () => {
  const { contactUs, faqs: questions, home, products } = paths;
  for (const [at, heading, links] of [
    ["//Support//", "Support", []],
    ["/SUPPORT", "Support", []],
    ["/Trial-XER/", "Trial Professional", []],
    ["/Not-Found/", "Page Not Found", [home, products, questions]],
    ["/support/more", "Page Not Found", [home, products, questions, contactUs]],
    ["/constructor", "Page Not Found", [home, products, questions, contactUs]],
    ["/__proto__/", "Page Not Found", [home, products, questions, contactUs]],
  ] as const) {
    const { unmount } = await open(at, heading);
    expect(getLinkTargets()).toEqual(expect.arrayContaining(links.map((path) => path.href())));
    if (links.length === 4) expect(main().getByText("Damn, we can't find what you're looking for.")).toBeTruthy();
    unmount();
  }
});
