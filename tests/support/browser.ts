import { AxeBuilder } from "@axe-core/playwright";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test as base, expect, type Page } from "@playwright/test";

export { expect };

/** Browser test that fails if its page logs a console error or warning, or throws. */
export const test = base.extend<{ quietPage: void }>({
  quietPage: [
    async ({ page }, use) => {
      const problems: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
      });
      page.on("pageerror", (error) => problems.push(String(error)));
      await use();
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],
});

/** Password of the demo accounts. */
const DEMO_PASSWORD = "Demo-pass-1";

/** Signs in to a demo account and waits for its first page. */
export async function signInAsDemo(page: Page, account: string): Promise<void> {
  await page.goto("/login/");
  await page.getByLabel("Username").fill(`${account}@demo.test`);
  await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(
    page.getByRole("heading", { level: 1, name: account === "admin" ? "Admin" : "My Account" }),
  ).toBeVisible();
}

/** Password of every account that {@link registerPerson} creates. */
export const newPersonPassword = "Critical-path-55";

/** Registers a new customer and returns the email address, which is not confirmed yet. */
export async function registerPerson(page: Page, name = { firstName: "Grace", lastName: "Hopper" }): Promise<string> {
  const email = `grace.${crypto.randomUUID()}@example.com`;
  const address = { streetNumber: "12", streetName: "Eagle Street", city: "Brisbane", state: "QLD", postCode: "4000" };
  const details = { ...name, position: "Planner", mobile: "0400 000 000", email };
  const secret = { password: newPersonPassword, confirmPassword: newPersonPassword };
  const registered = await page.request.post("/v1/core/accounts", {
    data: { ...details, ...address, ...secret, country: "Australia" },
  });
  expect(registered.status()).toBe(200);
  return email;
}

/** Registers and confirms a new customer, so that a test doesn't change the settings of a demo account. */
export async function createNewPerson(page: Page): Promise<string> {
  const email = await registerPerson(page);
  const confirmationToken = (await findEmailedLink(page, email)).split("?t=")[1];
  await page.request.post("/v1/core/accounts/confirm-email", { data: { confirmationToken } });
  return email;
}

/** Sends a GraphQL operation with a separate access token, independent of the page, and returns the data. */
export async function sendGraphqlAs(
  page: Page,
  user: { email: string; password: string },
  query: string,
  variables = {},
) {
  const signedIn = await page.request.post("/v1/core/auth/token", {
    data: { GrantType: "password", ClientId: "portal", UserName: user.email, Password: user.password },
  });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  const answer = await page.request.post("/graphql", {
    headers: { authorization: `Bearer ${token}` },
    data: { query, variables },
  });
  const { data, errors } = (await answer.json()) as { data: Record<string, never>; errors?: unknown };
  expect(errors).toBeUndefined();
  return data;
}

/** Returns the path of the link in the newest email to an address. */
export async function findEmailedLink(page: Page, email: string): Promise<string> {
  let link: string | undefined;
  await expect(async () => {
    const answer = await page.request.get(`/dev/mail.json?to=${encodeURIComponent(email)}`);
    const [newest] = (await answer.json()) as { text: string }[];
    link = /https?:\/\/[^/\s]+(\/(?:confirm-email|reset-password)\S*)/.exec(newest?.text ?? "")?.[1];
    expect(link).toBeTruthy();
  }).toPass({ timeout: 5_000 });
  return link ?? "";
}

/** Asserts that no part of the page is wider than the screen. */
export async function expectNoHorizontalScroll(page: Page): Promise<void> {
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(tooWide, `${page.url()} is wider than the screen`).toBeLessThanOrEqual(0);
}

/** Minified axe, which a page evaluates only once. */
const axeSource = `if (!window.axe) { ${readFileSync(
  createRequire(import.meta.resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"),
  "utf8",
)} }`;

/**
 * Creates an axe run that reports only violations. Legacy mode runs axe in the page. The default mode opens a second page
 * for frames from other origins, and our pages have none.
 */
function createAxe(page: Page): AxeBuilder {
  return new AxeBuilder({ page, axeSource }).setLegacyMode().options({ resultTypes: ["violations"] });
}

/** axe rules that can fail in one colour scheme and pass in the other. */
const colourRules = ["color-contrast", "link-in-text-block"];

/**
 * Number of frames without an animation after which a page counts as still. A dialog starts to fade in a few frames after it
 * opens.
 */
const STILL_FRAMES = 6;

/**
 * Script that waits in the page until nothing has moved for a few frames, but at most three seconds. While an element fades,
 * its colours belong to neither scheme. Endless animations and animations of invisible elements are ignored.
 */
const untilStill = `(async () => {
  const moving = () => document.getAnimations().filter(({ effect }) =>
    effect?.getComputedTiming().iterations !== Infinity &&
    (!(effect instanceof KeyframeEffect) || effect.target?.checkVisibility()));
  const until = performance.now() + 3000;
  for (let still = 0; still < ${STILL_FRAMES} && performance.now() < until; still++) {
    await new Promise(requestAnimationFrame);
    if (moving().length > 0) still = -1;
  }
})()`;

/** Renders content that the browser would skip, because skipped content keeps the colours of the other scheme. */
const drawAll = "[data-undrawn] { content-visibility: visible !important }";

/** Asserts that axe finds no violation in the light colour scheme and no colour violation in the dark one. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  await page.addStyleTag({ content: drawAll });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
    await page.evaluate(untilStill);
    const axe = createAxe(page);
    const { violations } = await (colorScheme === "light" ? axe : axe.withRules(colourRules)).analyze();
    const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
    expect(findings, `${screen}, ${colorScheme}`).toEqual([]);
  }
}
