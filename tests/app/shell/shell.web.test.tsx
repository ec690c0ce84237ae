import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { brand } from "#schema/brand.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { paths } from "#web/platform/paths.ts";
import { AppRoutes } from "#web/app/router.tsx";

beforeEach(resetSession);

async function open(at = "/pages/error-403") {
  const view = renderWeb(<AppRoutes />, { at });
  await screen.findByRole("heading", { level: 1 });
  return view;
}
const accountLinks = {
  regular: ["View My Account", "Active sessions", "Two-step sign-in", "Your data", "Logout"],
  corporate: ["View My Account", "Active sessions", "Two-step sign-in", "Your data", "Logout"],
  admin: ["View My Account", "Active sessions", "Two-step sign-in", "Logout"],
} as const;

const main = () => within(screen.getByRole("navigation", { name: "Main" }));

test("offers signed-in users My Account with View My Account and Logout instead of Login and Register", async () => {
  signInAs("regular");
  const { user } = await open();
  expect(screen.queryAllByRole("link", { name: /^(Login|Register)$/ })).toEqual([]);
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

test("shows each role its links in the account menu", async () => {
  for (const role of ["regular", "corporate", "admin"] as const) {
    signInAs(role);
    const { user, unmount } = await open();
    const button = main().getByRole("button", { name: "My Account" });
    await user.click(button);
    const list = within(document.getElementById(button.getAttribute("aria-controls") ?? "") as HTMLElement);
    expect(list.getAllByRole("link").map((link) => link.textContent)).toEqual(accountLinks[role]);
    unmount();
  }
});

test("forgets what was typed before the page was ready, so that no later form shows it", async () => {
  window.typedEarly = new Map([[document.createElement("input"), 0]]);
  await open("/login/");
  await waitFor(() => expect(window.typedEarly).toBeUndefined());
});

test("shows initials that are more than one UTF-16 unit", async () => {
  signInAs("regular", { givenName: "𠮷野" });
  await open();
  expect(document.querySelector("[data-initials]")?.textContent).toBe("𠮷L");
});

test("offers a skip link as the first tab stop", async () => {
  const { user } = await open();
  // No element has the focus on the first page of a visit.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  await user.tab();
  expect(document.activeElement?.textContent).toBe("Skip to content");
  expect(screen.getByRole("main").id).toBe("main");
});

test("switches the colour scheme", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Use dark colours" }));
  expect(document.documentElement.dataset.mantineColorScheme).toBe("dark");
  await user.click(screen.getByRole("button", { name: "Use light colours" }));
  expect(document.documentElement.dataset.mantineColorScheme).toBe("light");
});

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

test("offers visitors Services, the other pages, Login and Register in this order, and links in the footer", () => {
  renderWeb(<AppRoutes />, { at: "/pages/error-403" });
  const product = main().getByRole("link", { name: "Product" });
  expect(services().compareDocumentPosition(product)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(labels(main().getAllByRole("link"))).toEqual([...places, "Login", "Register"]);
  expect(main().getByRole("link", { name: "Login" }).getAttribute("href")).toBe("/login/");
  expect(screen.queryByRole("button", { name: "My Account" })).toBeNull();
  const banner = within(screen.getByRole("banner"));
  for (const text of [...Object.values(brand.mailboxes).map(({ email }) => email), brand.locationLine])
    expect(banner.getAllByText(text).length).toBeGreaterThan(0);
  const info = within(screen.getByRole("contentinfo"));
  for (const text of [`ABN ${brand.company.abn}`, `ACN ${brand.company.acn}`])
    expect(info.getByText(text)).toBeTruthy();
  // The footer works without scripts.
  const footer = within(screen.getByRole("navigation", { name: "Footer" }));
  for (const [label = "", href] of servicesPages)
    expect(footer.getByRole("link", { name: label }).getAttribute("href")).toBe(href);
});

test("opens both groups of Services, with three and two pages", async () => {
  const { user } = await open();
  expect(services().getAttribute("aria-expanded")).toBe("false");
  await user.click(services());
  const panel = document.getElementById(services().getAttribute("aria-controls") ?? "") as HTMLElement;
  const links = within(panel).getAllByRole("link");
  expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual(servicesPages);
  const lists = within(panel).getAllByRole("list");
  expect(lists.map((list) => list.children.length)).toEqual([2, 3, 2]);
});

test("closes Services when Escape is pressed or the focus leaves, and restores the focus on Escape", async () => {
  const { user } = await open();
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

test("marks a Services page and Services as current, or another page", async () => {
  const { user, unmount } = renderWeb(<AppRoutes />, { at: "/XER-services/" });
  expect(services().dataset.current).toBe("true");
  await user.click(services());
  expect(labels(main().getAllByRole("link", { current: "page" }))).toEqual(["Services"]);
  await user.click(main().getByRole("link", { name: "Schedule Conversion Services" }));
  expect(services().getAttribute("aria-expanded")).toBe("false");
  await user.click(services());
  // The page may still be loading.
  await waitFor(() =>
    expect(labels(main().getAllByRole("link", { current: "page" }))).toEqual(["Schedule Conversion Services"]),
  );
  unmount();
  renderWeb(<AppRoutes />, { at: "/contact-us/" });
  expect(labels(main().getAllByRole("link", { current: "page" }))).toEqual(["Contact"]);
  expect(services().dataset.current).toBeUndefined();
});

test("shows every page of the menu in the drawer, followed by the role's links", async () => {
  // jsdom doesn't implement showModal.
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      this.open = true;
    },
  });
  const pages = servicesPages.map(([label]) => label);
  for (const role of [null, "regular", "admin"] as const) {
    if (role) signInAs(role);
    const { user, unmount } = await open();
    await user.click(screen.getByRole("button", { name: "Open menu" }));
    const drawer = await screen.findByRole("navigation", { name: "Menu" });
    const links = role ? accountLinks[role] : ["Login", "Register"];
    expect(labels([...drawer.querySelectorAll("a")])).toEqual([...pages, ...places, ...links]);
    unmount();
  }
});

test("shows error pages for their paths and for unknown ones", async () => {
  for (const [at, title, sentence] of [
    ["/pages/error-403", "This is awkward...", "Unable to access page."],
    ["/pages/error-404", "Page Not Found", "Damn, we can't find what you're looking for."],
    ["/pages/error-500", "Good on ya, you broke it!", /this is our problem/],
    ["/pages/maintenance", "We lost the connection", /may be under maintenance/],
    ["/no/such/page", "Page Not Found", "Damn, we can't find what you're looking for."],
    ["/PAGES/Error-403/", "This is awkward...", "Unable to access page."],
  ] as const) {
    const { unmount } = await open(at);
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(title);
    expect(screen.getByText(sentence)).toBeTruthy();
    expect(document.title).toBe(`${title} · ${brand.name}`);
    unmount();
  }
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

test("stays where the user has gone while maintenance still checks the server", async () => {
  const answer = Promise.withResolvers<Response>();
  vi.stubGlobal("fetch", () => answer.promise);
  const at = { pathname: paths.maintenance.href(), state: { from: "/pages/error-403" } };
  const { user, place } = renderWeb(<AppRoutes />, { at });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await user.click(main().getByRole("link", { name: "Legals" }));
  await act(async () => answer.resolve(new Response(null, { status: 200 })));
  expect(place()).toBe(paths.legals.href());
});

test("removes the canonical address of the first page when another page opens", async () => {
  const canonical = '<link rel="canonical" href="https://portal.test/pages/error-403/" />';
  document.head.insertAdjacentHTML("beforeend", canonical);
  const { user } = await open();
  expect(document.head.innerHTML).toContain("canonical");
  await user.click(main().getByRole("link", { name: "Legals" }));
  await waitFor(() => expect(document.head.innerHTML).not.toContain("canonical"));
});

test("fills in path parameters with escaping", () => {
  const path = paths.activatedDevices.href({ licenceId: "a/b", userId: "c d" });
  expect(path).toBe("/manage-activated-devices/a%2Fb/c%20d/");
});
