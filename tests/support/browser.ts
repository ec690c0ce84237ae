import { AxeBuilder } from "@axe-core/playwright";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test as base, expect, type Page } from "@playwright/test";

export { expect };

/** A browser test fails on whatever its page complains about: an error in the console, a refused resource, a throw. */
export const test = base.extend<{ quietPage: void }>({
  quietPage: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(String(error)));
      await use();
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

/** Password of the demo sign-ins. */
const DEMO_PASSWORD = "Demo-pass-1";

/** Signs in as one of the demo people and waits for their first page. */
export async function signInAsDemo(page: Page, who: string): Promise<void> {
  await page.goto("/login/");
  await page.getByLabel("Username").fill(`${who}@demo.test`);
  await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("heading", { level: 1, name: who === "admin" ? "Admin" : "My Account" })).toBeVisible();
}

/** Password of everybody made by {@link registerPerson}. */
export const personPassword = "Critical-path-55";

/** Registers a person of the test's own, whose address is not confirmed yet. */
export async function registerPerson(page: Page, name = { firstName: "Grace", lastName: "Hopper" }): Promise<string> {
  const email = `grace.${crypto.randomUUID()}@example.com`;
  const address = { streetNumber: "12", streetName: "Eagle Street", city: "Brisbane", state: "QLD", postCode: "4000" };
  const person = { ...name, position: "Planner", mobile: "0400 000 000", email };
  const secret = { password: personPassword, confirmPassword: personPassword };
  const registered = await page.request.post("/v1/core/accounts", {
    data: { ...person, ...address, ...secret, country: "Australia" },
  });
  expect(registered.status()).toBe(200);
  return email;
}

/** Registers and confirms a person of the test's own, as what they turn on must not stay on in a demo account. */
export async function newPerson(page: Page): Promise<string> {
  const email = await registerPerson(page);
  const confirmationToken = (await linkMailedTo(page, email)).split("?t=")[1];
  await page.request.post("/v1/core/accounts/confirm-email", { data: { confirmationToken } });
  return email;
}

/** Asks `/graphql` as somebody who is signed in by the api, not in the page; answers the data. */
export async function askAs(page: Page, who: { email: string; password: string }, query: string, variables = {}) {
  const signedIn = await page.request.post("/v1/core/auth/token", {
    data: { GrantType: "password", ClientId: "portal", UserName: who.email, Password: who.password },
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

/** The newest link that was mailed to an address, as a path of this site. */
export async function linkMailedTo(page: Page, email: string): Promise<string> {
  let link: string | undefined;
  await expect(async () => {
    const answer = await page.request.get(`/dev/mail.json?to=${encodeURIComponent(email)}`);
    const [newest] = (await answer.json()) as { text: string }[];
    link = /https?:\/\/[^/\s]+(\/(?:confirm-email|reset-password)\S*)/.exec(newest?.text ?? "")?.[1];
    expect(link).toBeTruthy();
  }).toPass({ timeout: 5_000 });
  return link ?? "";
}

/** No part of the page is wider than the screen. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(tooWide, `${page.url()} is wider than the screen`).toBeLessThanOrEqual(0);
}

/** axe, packed small and read once by a page however often it is asked. */
const axeSource = `if (!window.axe) { ${readFileSync(
  createRequire(import.meta.resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"),
  "utf8",
)} }`;

/**
 * One question to axe. It describes only what it finds amiss, and judges in the page itself ("legacy" is its word): the
 * portal's pages have no frame of another origin, for which it would open a second page and read itself there again.
 */
function askAxe(page: Page): AxeBuilder {
  return new AxeBuilder({ page, axeSource }).setLegacyMode().options({ resultTypes: ["violations"] });
}

/** What axe can find in one colour scheme and not in the other. */
const rulesOfColours = ["color-contrast", "link-in-text-block"];

/** Frames without anything in motion after which a page stands still: a dialog that opens fades in some frames later. */
const STILL_FRAMES = 6;

/**
 * Runs in the page: waits until nothing has moved for some frames, as what fades has the colours of neither scheme; at
 * most three seconds. In what is folded away nothing moves, and never ends.
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

/** Of what was not drawn yet the browser does not reckon the styles: it would keep the other scheme's colours. */
const drawAll = "[data-undrawn] { content-visibility: visible !important }";

/** axe finds nothing in the light scheme, nor anything amiss with the colours of the dark one. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  await page.addStyleTag({ content: drawAll });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
    await page.evaluate(untilStill);
    const axe = askAxe(page);
    const { violations } = await (colorScheme === "light" ? axe : axe.withRules(rulesOfColours)).analyze();
    const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
    expect(findings, `${screen}, ${colorScheme}`).toEqual([]);
  }
}
