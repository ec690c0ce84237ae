import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import faqs from "content:faqs";
import tutorials from "content:tutorials";
import people from "content:people";
import { brand } from "#schema/brand.ts";
import { renderWeb, signedOut } from "#tests/support/render-web.tsx";
import { paths } from "#web/platform/paths.ts";
import { AppRoutes } from "#web/app/router.tsx";

beforeEach(signedOut);

const main = () => within(screen.getByRole("main"));
const targets = () =>
  main()
    .getAllByRole("link")
    .map((link) => link.getAttribute("href"));
const open = async (at: string) => {
  const view = renderWeb(<AppRoutes />, { at });
  // The first page that opens brings all the modules along.
  await screen.findByRole("heading", { level: 1 }, { timeout: 8_000 });
  return view;
};
const part = (name: string) => within(main().getByRole("region", { name }));

const corporate = `mailto:${brand.mailboxes.corporate.email}`;
const support = `mailto:${brand.mailboxes.support.email}`;

describe("the company and its services", () => {
  test.each([
    [paths.solutionsAndServices.href(), "Solutions and Services"],
    [paths.weAre.href(), `We are ${brand.name}`],
    [paths.projectIntegration.href(), "Project Integration Services"],
    [paths.projectControls.href(), "Project Controls Specialist Services"],
    [paths.services.href(), "Services"],
    [paths.schedulingSupport.href(), "Scheduling Support Services"],
    [paths.scheduleConversion.href(), "Schedule Conversion Services"],
    [paths.resources.href(), "Resources and Support"],
    [paths.userGuide.href(), "User Guide"],
    [paths.knowledgeBase.href(), "Knowledge Base"],
    [paths.news.href(), "News"],
  ])("%s has one h1, which says %s", async (at, heading) => {
    await open(at);
    expect(screen.getAllByRole("heading", { level: 1 }).map((title) => title.textContent)).toEqual([heading]);
  });

  test("the hub leads to the company, the product and the four services", async () => {
    await open(paths.solutionsAndServices.href());
    const wanted = [
      paths.weAre,
      paths.products,
      paths.schedulingSupport,
      paths.scheduleConversion,
      paths.projectIntegration,
      paths.projectControls,
    ].map((path) => path.href());
    expect(targets().slice(0, 6)).toEqual(wanted);
  });

  test("the hub of the paid services leads to both of them", async () => {
    await open(paths.services.href());
    expect(targets().slice(0, 2)).toEqual([paths.schedulingSupport.href(), paths.scheduleConversion.href()]);
  });

  test.each([paths.projectIntegration, paths.projectControls, paths.schedulingSupport, paths.scheduleConversion])(
    "$pattern says what is done, how it goes, and whom to write to",
    async (path) => {
      await open(path.href());
      expect(part("What we do").getAllByRole("listitem")).toHaveLength(6);
      expect(part("How it works").getAllByRole("listitem")).toHaveLength(4);
      expect(main().getByRole("link", { name: "Request a quote" }).getAttribute("href")).toBe(corporate);
      const call = within(main().getByRole("complementary"));
      expect(call.getByRole("link", { name: brand.mailboxes.corporate.email }).getAttribute("href")).toBe(corporate);
      expect(call.getByRole("link", { name: "Contact us" }).getAttribute("href")).toBe(paths.contactUs.href());
    },
  );

  test("About tells the mission, names directors and business specialist as samples, and the journey", async () => {
    await open(paths.weAre.href());
    for (const heading of ["Mission", "Directors", "Business specialist", "Our journey", "Join the community"])
      expect(main().getByRole("heading", { level: 2, name: heading })).toBeTruthy();
    const directors = part("Directors").getAllByRole("listitem");
    expect(directors.map((person) => within(person).getByRole("heading").textContent)).toEqual(
      people.directors.map(({ name }) => name),
    );
    expect(part("Business specialist").getByRole("heading", { level: 3 }).textContent).toBe(
      people.businessSpecialist.name,
    );
    expect(main().getAllByText("Sample")).toHaveLength(people.directors.length + 1);
    expect(main().getByText(people.note)).toBeTruthy();
    expect(part("Our journey").getAllByRole("listitem")).toHaveLength(5);
  });

  test("About's community can be linked to, and leads to the network, the films and the contact page", async () => {
    await open(paths.weAre.href());
    const community = document.getElementById(`join-the-${brand.segment}-community`) as HTMLElement;
    const links = within(community).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual([
      brand.networkUrl,
      brand.videoSiteUrl,
      paths.contactUs.href(),
    ]);
  });
});

describe("resources", () => {
  test("the page says that the knowledge base is being updated and to write to support", async () => {
    await open(paths.resources.href());
    expect(main().getByText(/knowledge base is being updated.*write to technical support/)).toBeTruthy();
    expect(targets()).toContain(support);
    expect(targets()).toEqual(
      expect.arrayContaining([paths.tutorials, paths.faqs, paths.userGuide, paths.knowledgeBase].map((p) => p.href())),
    );
  });

  test("the user guide's contents lead to its headings", async () => {
    await open(paths.userGuide.href());
    const contents = within(main().getByRole("navigation", { name: "On this page" })).getAllByRole("link");
    const headings = main().getAllByRole("heading", { level: 2 }).slice(1);
    expect(contents.length).toBeGreaterThan(3);
    expect(contents.map((link) => [link.textContent, link.getAttribute("href")])).toEqual(
      headings.map((heading) => [heading.textContent, `#${heading.id}`]),
    );
  });

  test("the knowledge base holds its place and says where the answers are meanwhile", async () => {
    await open(paths.knowledgeBase.href());
    expect(main().getByText("The knowledge base is being updated.")).toBeTruthy();
    expect(targets()).toEqual(expect.arrayContaining([paths.tutorials.href(), paths.faqs.href(), support]));
  });

  test("news are entries along a line, dated where they have a date, with links to tutorials and knowledge base", async () => {
    await open(paths.news.href());
    const dates = [...screen.getByRole("main").querySelectorAll("time")].map((time) => time.dateTime);
    expect(dates).toEqual(["2023-09-01", "2019-10"]);
    expect(main().getAllByRole("heading", { level: 2 }).length).toBeGreaterThan(4);
    expect(targets()).toEqual(expect.arrayContaining([paths.tutorials.href(), paths.knowledgeBase.href()]));
  });

  test("the old support page shows the demonstration, the quick reference and the questions marked for it", async () => {
    const { user } = await open("/support/");
    const film = screen.getByRole("main").querySelector("video source");
    expect(film?.getAttribute("src")).toBe("/media/install-the-add-in.mp4");
    const reference = part("Installation quick reference");
    const marked = tutorials.filter(({ showOnSupportPage }) => showOnSupportPage);
    expect(reference.getAllByRole("link").map((link) => link.textContent)).toEqual(marked.map(({ title }) => title));
    expect(reference.getAllByRole("listitem")).toHaveLength(5 + marked.length);
    const wanted = faqs.filter(({ show, showOnSupportPage }) => show && showOnSupportPage);
    const questions = part("Frequently asked questions").getAllByRole("button");
    expect(questions.map((button) => button.textContent)).toEqual(wanted.map(({ title }) => title));
    expect(questions.map((button) => button.getAttribute("aria-expanded"))).not.toContain("true");
    const [first] = questions;
    if (first) await user.click(first);
    expect(first?.getAttribute("aria-expanded")).toBe("true");
    expect(targets()).toEqual(
      expect.arrayContaining([paths.faqs.href(), paths.news.href(), paths.knowledgeBase.href()]),
    );
  });
});

describe("the lookup of content pages", () => {
  test.each(["/support", "/support/", "/SUPPORT/", "//Support//"])("%s finds the page called support", async (at) => {
    await open(at);
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Support");
  });

  test.each(["/trial-xer", "/Trial-XER/"])("%s finds the trial page", async (at) => {
    await open(at);
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Trial Professional");
  });

  test("the page called not-found leads on", async () => {
    await open("/Not-Found/");
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Page Not Found");
    expect(main().getByText(/There is nothing at this address/)).toBeTruthy();
    expect(targets()).toEqual(expect.arrayContaining([paths.home.href(), paths.products.href(), paths.faqs.href()]));
  });

  test.each(["/support/more", "/no-such-page/", "/constructor", "/__proto__/"])("%s is Page Not Found", async (at) => {
    await open(at);
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Page Not Found");
    expect(main().getByText("Damn, we can't find what you're looking for.")).toBeTruthy();
    expect(targets()).toEqual(
      expect.arrayContaining([paths.home, paths.products, paths.faqs, paths.contactUs].map((path) => path.href())),
    );
  });
});
