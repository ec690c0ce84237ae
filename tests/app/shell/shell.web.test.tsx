import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { brand } from "#schema/brand.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { paths } from "#web/platform/paths.ts";
import { AppRoutes } from "#web/app/router.tsx";

beforeEach(resetSession);

const main = () => within(screen.getByRole("navigation", { name: "Main" }));

describe("header and footer", () => {
  test("offers visitors Login and no account", async () => {
    renderWeb(<AppRoutes />, { at: "/pages/error-403" });
    expect(main().getByRole("link", { name: "Login" }).getAttribute("href")).toBe("/login/");
    expect(screen.queryByRole("button", { name: "My Account" })).toBeNull();
  });

  test("offers signed-in users My Account with View My Account and Logout, and no Login", async () => {
    signInAs("regular");
    const { user } = renderWeb(<AppRoutes />, { at: "/pages/error-403" });
    await screen.findByRole("heading", { level: 1 });
    expect(screen.queryAllByRole("link", { name: "Login" })).toEqual([]);
    expect(main().queryByRole("link", { name: "View My Account" })).toBeNull();
    const button = main().getByRole("button", { name: "My Account" });
    await user.click(button);
    expect(button.getAttribute("aria-expanded")).toBe("true");
    expect(main().getByRole("link", { name: "View My Account" }).getAttribute("href")).toBe("/my-account/");
    expect(main().getByRole("link", { name: "Logout" }).getAttribute("href")).toBe("/logout/");
    await user.keyboard("{Escape}");
    expect(button.getAttribute("aria-expanded")).toBe("false");
    expect(document.activeElement).toBe(button);
  });

  test.each([
    ["regular", ["View My Account", "Where you are signed in", "Two-step sign-in", "Your data", "Logout"]],
    ["corporate", ["View My Account", "Where you are signed in", "Two-step sign-in", "Your data", "Logout"]],
    ["admin", ["View My Account", "Where you are signed in", "Two-step sign-in", "Logout"]],
  ] as const)("shows %s users these links in the account menu: %j", async (role, labels) => {
    signInAs(role);
    const { user } = renderWeb(<AppRoutes />, { at: "/pages/error-403" });
    await screen.findByRole("heading", { level: 1 });
    const button = main().getByRole("button", { name: "My Account" });
    await user.click(button);
    const list = within(document.getElementById(button.getAttribute("aria-controls") ?? "") as HTMLElement);
    expect(list.getAllByRole("link").map((link) => link.textContent)).toEqual(labels);
  });

  test("shows the contact line and company from the brand file", () => {
    renderWeb(<AppRoutes />, { at: "/pages/error-403" });
    const banner = within(screen.getByRole("banner"));
    for (const { email } of Object.values(brand.mailboxes))
      expect(banner.getAllByText(email).length).toBeGreaterThan(0);
    expect(banner.getAllByText(brand.locationLine).length).toBeGreaterThan(0);
    const footer = within(screen.getByRole("contentinfo"));
    expect(footer.getByText(`ABN ${brand.company.abn}`)).toBeTruthy();
    expect(footer.getByText(`ACN ${brand.company.acn}`)).toBeTruthy();
  });

  test("offers a skip link at the first tab stop", async () => {
    const { user } = renderWeb(<AppRoutes />, { at: "/pages/error-403" });
    await screen.findByRole("heading", { level: 1 });
    // No element has the focus on the first page of a visit.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    await user.tab();
    expect(document.activeElement?.textContent).toBe("Skip to content");
    expect(screen.getByRole("main").id).toBe("main");
  });

  test("switches the colour scheme", async () => {
    const { user } = renderWeb(<AppRoutes />, { at: "/pages/error-403" });
    await screen.findByRole("heading", { level: 1 });
    await user.click(screen.getByRole("button", { name: "Use dark colours" }));
    expect(document.documentElement.dataset.mantineColorScheme).toBe("dark");
    await user.click(screen.getByRole("button", { name: "Use light colours" }));
    expect(document.documentElement.dataset.mantineColorScheme).toBe("light");
  });
});

describe("main menu", () => {
  const labels = (links: HTMLElement[]) => links.map((link) => link.textContent);
  const servicesPages = [
    ["Solutions and Services", "/xersolutions-and-services/"],
    [`We are ${brand.name}`, "/we-are-xersolutions/"],
    ["Project Integration Services", "/xersolutions-project-integration-services/"],
    ["Project Controls Specialist Services", "/xersolutions-project-controls-specialist-services/"],
    ["Services", "/xer-services/"],
    ["Scheduling Support Services", "/xer-scheduling-support-services/"],
    ["Schedule Conversion Services", "/xer-schedule-conversion-services/"],
  ];
  const places = ["Product", "Trial & Subscribe", "Resources & Support", "Legals", "Contact"];
  const services = () => main().getByRole("button", { name: "Services" });

  test("offers visitors Services, the other pages, Login and Register in this order", () => {
    renderWeb(<AppRoutes />, { at: "/pages/error-403" });
    expect(services().compareDocumentPosition(main().getByRole("link", { name: "Product" }))).toBe(
      Node.DOCUMENT_POSITION_FOLLOWING,
    );
    expect(labels(main().getAllByRole("link"))).toEqual([...places, "Login", "Register"]);
  });

  test("offers signed-in users My Account instead of Login and Register", () => {
    signInAs("regular");
    renderWeb(<AppRoutes />, { at: "/pages/error-403" });
    expect(labels(main().getAllByRole("link"))).toEqual(places);
    expect(labels(main().getAllByRole("button"))[1]).toContain("My Account");
  });

  test("opens both groups of Services, with three and two pages", async () => {
    const { user } = renderWeb(<AppRoutes />, { at: "/pages/error-403" });
    await screen.findByRole("heading", { level: 1 });
    expect(services().getAttribute("aria-expanded")).toBe("false");
    await user.click(services());
    const panel = document.getElementById(services().getAttribute("aria-controls") ?? "") as HTMLElement;
    const links = within(panel).getAllByRole("link");
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual(servicesPages);
    expect(
      within(panel)
        .getAllByRole("list")
        .map((list) => list.children.length),
    ).toEqual([3, 2]);
  });

  test("closes Services when Escape is pressed or the focus leaves, and restores the focus on Escape", async () => {
    const { user } = renderWeb(<AppRoutes />, { at: "/pages/error-403" });
    await screen.findByRole("heading", { level: 1 });
    await user.click(services());
    await user.tab();
    expect(document.activeElement?.textContent).toBe("Solutions and Services");
    await user.keyboard("{Escape}");
    expect(services().getAttribute("aria-expanded")).toBe("false");
    expect(document.activeElement).toBe(services());
    await user.keyboard("{Enter}");
    expect(services().getAttribute("aria-expanded")).toBe("true");
    for (const _ of [...servicesPages, "Product"]) await user.tab();
    expect(document.activeElement?.textContent).toBe("Product");
    expect(services().getAttribute("aria-expanded")).toBe("false");
  });

  test("marks a Services page and Services as current", async () => {
    const { user } = renderWeb(<AppRoutes />, { at: "/XER-services/" });
    expect(services().dataset.current).toBe("true");
    await user.click(services());
    expect(labels(main().getAllByRole("link", { current: "page" }))).toEqual(["Services"]);
    await user.click(main().getByRole("link", { name: "Schedule Conversion Services" }));
    expect(services().getAttribute("aria-expanded")).toBe("false");
    await user.click(services());
    expect(labels(main().getAllByRole("link", { current: "page" }))).toEqual(["Schedule Conversion Services"]);
  });

  test("marks other pages but not Services as current", () => {
    renderWeb(<AppRoutes />, { at: "/contact-us/" });
    expect(labels(main().getAllByRole("link", { current: "page" }))).toEqual(["Contact"]);
    expect(services().dataset.current).toBeUndefined();
  });

  test.each([
    [null, ["Login", "Register"]],
    ["regular", ["View My Account", "Where you are signed in", "Two-step sign-in", "Your data", "Logout"]],
    ["admin", ["View My Account", "Where you are signed in", "Two-step sign-in", "Logout"]],
  ] as const)("shows the drawer of %s with every page of the menu, then %j", async (role, accountLinks) => {
    // jsdom doesn't implement showModal.
    Object.assign(HTMLDialogElement.prototype, {
      showModal(this: HTMLDialogElement) {
        this.open = true;
      },
    });
    if (role) signInAs(role);
    const { user } = renderWeb(<AppRoutes />, { at: "/pages/error-403" });
    await screen.findByRole("heading", { level: 1 });
    await user.click(screen.getByRole("button", { name: "Open menu" }));
    const drawer = await screen.findByRole("navigation", { name: "Menu" });
    const links = [...drawer.querySelectorAll("a")];
    expect(labels(links)).toEqual([...servicesPages.map(([label]) => label), ...places, ...accountLinks]);
  });

  test("links every page of Services in the footer without scripts", () => {
    renderWeb(<AppRoutes />, { at: "/pages/error-403" });
    const footer = within(screen.getByRole("navigation", { name: "Footer" }));
    for (const [label = "", href] of servicesPages)
      expect(footer.getByRole("link", { name: label }).getAttribute("href")).toBe(href);
  });
});

describe("error pages", () => {
  test.each([
    ["/pages/error-403", "This is awkward...", "Unable to access page."],
    ["/pages/error-404", "Page Not Found", "Damn, we can't find what you're looking for."],
    ["/pages/error-500", "Good on ya, you broke it!", /this is our problem/],
    ["/pages/maintenance", "We lost the connection", /may be under maintenance/],
    ["/no/such/page", "Page Not Found", "Damn, we can't find what you're looking for."],
    ["/PAGES/Error-403/", "This is awkward...", "Unable to access page."],
  ])("shows the error page for %s", async (at, title, sentence) => {
    renderWeb(<AppRoutes />, { at });
    expect((await screen.findByRole("heading", { level: 1 })).textContent).toBe(title);
    expect(screen.getByText(sentence)).toBeTruthy();
    expect(document.title).toBe(`${title} · ${brand.name}`);
  });

  test("returns from maintenance to the user's page once the server responds again", async () => {
    const answers = [new Response(null, { status: 503 }), new Response(null, { status: 200 })];
    vi.stubGlobal("fetch", async () => answers.shift());
    const at = { pathname: paths.maintenance.href(), state: { from: "/pages/error-403?a=1" } };
    const { user, place } = renderWeb(<AppRoutes />, { at });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText(/We still can.t connect/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("This is awkward...")).toBeTruthy();
    expect(place()).toBe("/pages/error-403?a=1");
  });
});

describe("home", () => {
  test("shows visitors the product and how to start", async () => {
    renderWeb(<AppRoutes />, { at: "/" });
    expect(await screen.findByRole("heading", { level: 1 })).toBeTruthy();
    const [trial] = screen.getAllByRole("link", { name: "Trial Professional Now for Free" });
    expect(trial?.getAttribute("href")).toBe("/trial-xer/");
  });

  test("links signed-in users to their account", async () => {
    signInAs("regular");
    renderWeb(<AppRoutes />, { at: "/" });
    expect((await screen.findByRole("link", { name: "Go to My Account" })).getAttribute("href")).toBe("/my-account/");
  });
});

test("fills in path parameters with escaping", () => {
  expect(paths.activatedDevices.href({ licenceId: "a/b", userId: "c d" })).toBe(
    "/manage-activated-devices/a%2Fb/c%20d/",
  );
});
