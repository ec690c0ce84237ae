import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { brand } from "#schema/brand.ts";
import { renderWeb, signedOut, signInAs } from "#tests/support/render-web.tsx";
import { paths } from "#web/app/paths.ts";
import { AppRoutes } from "#web/app/router.tsx";

beforeEach(signedOut);

const main = () => within(screen.getByRole("navigation", { name: "Main" }));

describe("header and footer", () => {
  test("visitors are offered Login and no account", async () => {
    renderWeb(<AppRoutes />, { at: "/pages/error-403" });
    expect(main().getByRole("link", { name: "Login" }).getAttribute("href")).toBe("/login/");
    expect(screen.queryByRole("button", { name: "My Account" })).toBeNull();
  });

  test("the signed-in are offered My Account, which opens View My Account and Logout, and no Login", async () => {
    signInAs("regular");
    const { user } = renderWeb(<AppRoutes />, { at: "/pages/error-403" });
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
    ["regular", ["View My Account", "Where You Are Signed In", "Two-Step Sign-In", "Your Data", "Logout"]],
    ["corporate", ["View My Account", "Where You Are Signed In", "Two-Step Sign-In", "Your Data", "Logout"]],
    ["admin", ["View My Account", "Where You Are Signed In", "Two-Step Sign-In", "Logout"]],
  ] as const)("the account menu of %s leads to %j", async (role, labels) => {
    signInAs(role);
    const { user } = renderWeb(<AppRoutes />, { at: "/pages/error-403" });
    const button = main().getByRole("button", { name: "My Account" });
    await user.click(button);
    const list = within(document.getElementById(button.getAttribute("aria-controls") ?? "") as HTMLElement);
    expect(list.getAllByRole("link").map((link) => link.textContent)).toEqual(labels);
  });

  test("contact line and company come from the brand file", () => {
    renderWeb(<AppRoutes />, { at: "/pages/error-403" });
    const banner = within(screen.getByRole("banner"));
    for (const { email } of Object.values(brand.mailboxes))
      expect(banner.getAllByText(email).length).toBeGreaterThan(0);
    expect(banner.getAllByText(brand.locationLine).length).toBeGreaterThan(0);
    const footer = within(screen.getByRole("contentinfo"));
    expect(footer.getByText(`ABN ${brand.company.abn}`)).toBeTruthy();
    expect(footer.getByText(`ACN ${brand.company.acn}`)).toBeTruthy();
  });

  test("the first stop of the keyboard skips to the content", async () => {
    const { user } = renderWeb(<AppRoutes />, { at: "/pages/error-403" });
    // As on the first page, where nothing has the focus yet.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    await user.tab();
    expect(document.activeElement?.textContent).toBe("Skip to content");
    expect(screen.getByRole("main").id).toBe("main");
  });

  test("the colour scheme can be switched", async () => {
    const { user } = renderWeb(<AppRoutes />, { at: "/pages/error-403" });
    await user.click(screen.getByRole("button", { name: "Use dark colours" }));
    expect(document.documentElement.dataset.mantineColorScheme).toBe("dark");
    await user.click(screen.getByRole("button", { name: "Use light colours" }));
    expect(document.documentElement.dataset.mantineColorScheme).toBe("light");
  });
});

describe("error pages", () => {
  test.each([
    ["/pages/error-403", "This is awkward...", "Unable to access page."],
    ["/pages/error-404", "Page Not Found", "Damn, we can't find what you're looking for."],
    ["/pages/error-500", "Good on ya, you broke it!", /fault is ours/],
    ["/pages/maintenance", "We lost the connection", /carrying out maintenance/],
    ["/no/such/page", "Page Not Found", "Damn, we can't find what you're looking for."],
    ["/PAGES/Error-403/", "This is awkward...", "Unable to access page."],
  ])("%s says what happened", async (at, title, sentence) => {
    renderWeb(<AppRoutes />, { at });
    expect((await screen.findByRole("heading", { level: 1 })).textContent).toBe(title);
    expect(screen.getByText(sentence)).toBeTruthy();
    expect(document.title).toBe(`${title} · ${brand.name}`);
  });

  test("maintenance leads back to where the person was once the server answers again", async () => {
    const answers = [new Response(null, { status: 503 }), new Response(null, { status: 200 })];
    vi.stubGlobal("fetch", async () => answers.shift());
    const at = { pathname: paths.maintenance.href(), state: { from: "/pages/error-403?a=1" } };
    const { user, place } = renderWeb(<AppRoutes />, { at });
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    expect(await screen.findByText(/Still no answer/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    expect(await screen.findByText("This is awkward...")).toBeTruthy();
    expect(place()).toBe("/pages/error-403?a=1");
  });
});

describe("home", () => {
  test("tells visitors what the product does and how to begin", async () => {
    renderWeb(<AppRoutes />, { at: "/" });
    expect(await screen.findByRole("heading", { level: 1 })).toBeTruthy();
    const [trial] = screen.getAllByRole("link", { name: "Trial Professional Now for Free" });
    expect(trial?.getAttribute("href")).toBe("/trial-xer/");
  });

  test("leads the signed-in to their account", async () => {
    signInAs("regular");
    renderWeb(<AppRoutes />, { at: "/" });
    expect((await screen.findByRole("link", { name: "Go to My Account" })).getAttribute("href")).toBe("/my-account/");
  });
});

test("every address is filled in with its parameters, escaped", () => {
  expect(paths.activatedDevices.href({ licenceId: "a/b", userId: "c d" })).toBe(
    "/manage-activated-devices/a%2Fb/c%20d/",
  );
});
