import { AxeBuilder } from "@axe-core/playwright";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test as base, expect, type Page } from "@playwright/test";

export { expect };

/** Browser test that fails if its page logs a console error or warning, or throws. `expectedProblem` matches those that may. */
export const test = base.extend<{ quietPage: void; expectedProblem: RegExp | null }>({
  expectedProblem: [null, { option: true }],
  quietPage: [
    async ({ page, expectedProblem }, use) => {
      const problems: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning")
          problems.push(`${message.text()} (${message.location().url}:${message.location().lineNumber})`);
      });
      page.on("pageerror", (error) => problems.push(String(error)));
      await use();
      expect(problems.filter((problem) => !expectedProblem?.test(problem))).toEqual([]);
    },
    { auto: true },
  ],
});

/** Credentials of an account. */
export interface Account {
  readonly email: string;
  readonly password: string;
}

/** Returns the credentials of a demo account (README). */
export const demoAccount = (name: string): Account => ({ email: `${name}@demo.test`, password: "Demo-pass-1" });

/** Signs in to a demo account and opens a page. By default, opens the account's first page and waits for it. */
export async function signInAsDemo(page: Page, account: string, path?: string): Promise<void> {
  await signIn(page, demoAccount(account));
  await (path ? page.goto(path) : openFirstPage(page, account === "admin"));
  // The frame of a page has its heading, but no shortcuts.
  await page.locator("html[data-page-ready]").waitFor({ state: "attached" });
}

/**
 * Signs in through the API and stores the session as the sign-in form does, which is twice as fast. Leaves an empty
 * page, so open another one next.
 */
export async function signIn(page: Page, { email, password }: Account): Promise<void> {
  const query =
    "mutation ($input: SignInInput!) { signIn(input: $input) { session { accessToken refreshToken expiresIn } } }";
  const answer = await page.request.post("/graphql", { data: { query, variables: { input: { email, password } } } });
  const { data } = (await answer.json()) as { data: { signIn: { session: { expiresIn: number } } } };
  const { expiresIn, ...tokens } = data.signIn.session;
  const body = "<link rel='icon' href='data:,'>";
  await page.route("/signing-in", (route) => route.fulfill({ contentType: "text/html", body }), { times: 1 });
  await page.goto("/signing-in");
  await page.evaluate(
    ([key, session]) => {
      sessionStorage.removeItem("xer-portal.view");
      localStorage.removeItem("xer-portal.session-ended");
      localStorage.setItem(key, session);
    },
    ["xer-portal.session", JSON.stringify({ ...tokens, expiresAt: Date.now() + expiresIn * 1000 })] as const,
  );
}

async function openFirstPage(page: Page, isAdmin: boolean): Promise<void> {
  await page.goto(isAdmin ? "/admin/" : "/my-account/");
  // An assertion would look for the heading only once a second.
  await page.getByRole("heading", { level: 1, name: isAdmin ? "Admin" : "My Account" }).waitFor();
}

/** Waits until the scripts of a prerendered page run. An assertion would look only once a second. */
export const waitForScripts = (page: Page) => page.locator('html[data-taken-over=""]').waitFor({ state: "attached" });

/** Password of every account that {@link registerPerson} creates. */
export const newPersonPassword = "Critical-path-55";

const visitor = { "First Name": "Ada", "Last Name": "Byron", Position: "Planner", Phone: "+61 400 000 000" };
const home = { "Street number": "120", "Street name": "Eagle Street", City: "Brisbane", "Post Code": "4000" };
/** Returns what a visitor types into the registration form, by label. */
export const getRegistrationTexts = (email: string) => ({ ...visitor, Email: email, ...home });

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

/** Returns a new access token of an account, independent of the page. */
export async function requestToken(page: Page, { email, password }: Account): Promise<string> {
  const answer = await page.request.post("/v1/core/auth/token", {
    data: { GrantType: "password", ClientId: "portal", UserName: email, Password: password },
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** Access tokens of {@link sendGraphqlAs}, because each sign-in hashes a password. */
const tokens = new Map<string, { readonly value: string; readonly at: number }>();

/** Age of a token in milliseconds after which it isn't used again. Sensitive changes need a recent sign-in. */
const OLD_TOKEN_MS = 120_000;

/** Sends a GraphQL operation with a separate access token, independent of the page, and returns the data. */
export async function sendGraphqlAs<TData = Record<string, never>>(
  page: Page,
  user: Account,
  query: string,
  variables = {},
): Promise<TData> {
  let token = tokens.get(user.email);
  const isNew = !token || Date.now() - token.at > OLD_TOKEN_MS;
  if (!token || isNew) tokens.set(user.email, (token = { value: await requestToken(page, user), at: Date.now() }));
  const headers = { authorization: `Bearer ${token.value}` };
  const answer = await page.request.post("/graphql", { headers, data: { query, variables } });
  const { data, errors } = (await answer.json()) as { data: TData; errors?: unknown };
  // The clock was moved, or the session has ended.
  if (errors && !isNew && JSON.stringify(errors).includes("UNAUTHENTICATED")) {
    tokens.delete(user.email);
    return sendGraphqlAs(page, user, query, variables);
  }
  expect(errors).toBeUndefined();
  return data;
}

/**
 * Returns the path of the link in the newest email to an address.
 * @param count how many of the newest emails may have the link
 */
export async function findEmailedLink(page: Page, email: string, count = 1): Promise<string> {
  let link: string | undefined;
  await expect(async () => {
    const answer = await page.request.get(`/dev/mail.json?to=${encodeURIComponent(email)}`);
    const newest = ((await answer.json()) as { text: string }[]).slice(0, count);
    const texts = newest.map(({ text }) => text).join("\n");
    link = /https?:\/\/[^/\s]+(\/(?:confirm-email|reset-password|quote)\S*)/.exec(texts)?.[1];
    expect(link).toBeTruthy();
  }).toPass({ timeout: 60_000 });
  return link ?? "";
}

/** Asserts that no part of the page is wider than the screen. */
export async function expectNoHorizontalScroll(page: Page): Promise<void> {
  const { tooWide, widest } = await page.evaluate(() => {
    const elements = [...document.querySelectorAll("body *")];
    const right = (element: Element) => element.getBoundingClientRect().right;
    const widest = elements.reduce((one, other) => (right(other) > right(one) ? other : one), document.body);
    const { scrollWidth } = document.documentElement;
    return { tooWide: scrollWidth - window.innerWidth, widest: widest.outerHTML.slice(0, 200) };
  });
  expect(tooWide, `${page.url()} is wider than the screen because of ${widest}`).toBeLessThanOrEqual(0);
}

export const narrow = { width: 320, height: 640 };
export const wide = { width: 1440, height: 900 };

/** Asserts that the page fits on a narrow phone, and on a wide screen at 200 % zoom. Leaves it on the wide screen. */
export async function expectFitsSmallScreens(page: Page): Promise<void> {
  for (const size of [narrow, { width: wide.width / 2, height: wide.height / 2 }]) {
    await page.setViewportSize(size);
    await expectNoHorizontalScroll(page);
  }
  await page.setViewportSize(wide);
}

const axeFile = createRequire(import.meta.resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js");
/** Minified axe, half a megabyte. */
const axeSource = readFileSync(axeFile, "utf8");

/**
 * Creates an axe run in a page that has axe already. The builder would send axe twice for each run. Legacy mode runs axe in
 * the page. The default mode opens a second page for frames from other origins, and our pages have none. Findings are
 * reported as HTML, so axe doesn't need to find a selector for each element.
 */
const createAxe = (page: Page): AxeBuilder =>
  new AxeBuilder({ page, axeSource: "void 0" })
    .setLegacyMode()
    .options({ resultTypes: ["violations"], selectors: false, preload: false });

async function listViolations(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
}

/** axe rules that can fail in one colour scheme and pass in the other. */
const colourRules = ["color-contrast", "link-in-text-block"];

/**
 * Number of frames without an animation after which a page counts as still. A dialog starts to fade in a few frames after it
 * opens.
 */
const STILL_FRAMES = 6;

/**
 * Script that waits in the page until nothing has moved for a few frames. While an element fades, its colours belong to
 * neither scheme. Endless animations and animations of invisible elements are ignored.
 */
const untilStill = `(async () => {
  const moving = () => document.getAnimations().filter(({ effect }) =>
    effect?.getComputedTiming().iterations !== Infinity &&
    (!(effect instanceof KeyframeEffect) || effect.target?.checkVisibility()));
  for (let still = 0; still < ${STILL_FRAMES}; still++) {
    await new Promise(requestAnimationFrame);
    if (moving().length > 0) still = -1;
  }
})()`;

/** Renders content that the browser would skip, because skipped content keeps the colours of the other scheme. */
export const drawAll = "[data-undrawn] { content-visibility: visible !important }";

async function showIn(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
  await page.evaluate(untilStill);
}

/** Whether the page is in Chromium, where axe runs. Its findings don't depend on the browser. */
const isChromium = (page: Page) => page.context().browser()?.browserType().name() === "chromium";

async function addAxe(page: Page): Promise<void> {
  await page.addStyleTag({ content: drawAll });
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
}

const colorSchemes = (process.env.BROWSER_TEST_SCHEMES?.split(",") ?? []) as ("light" | "dark")[];

/**
 * Asserts that axe finds no violation in the light colour scheme and, in `npm run test:all`, no colour violation in the dark
 * one. Only in Chromium.
 *
 * @param sameColours selects elements that repeat the colours of others, to skip the colour rules for them on a long page
 */
export async function expectAccessible(page: Page, screen: string, sameColours?: string): Promise<void> {
  if (!isChromium(page)) return;
  await addAxe(page);
  if (sameColours) expect(await listViolations(createAxe(page).disableRules(colourRules)), screen).toEqual([]);
  for (const colorScheme of colorSchemes) {
    await showIn(page, colorScheme);
    const axe = createAxe(page);
    if (sameColours) axe.exclude(sameColours);
    if (sameColours || colorScheme === "dark") axe.withRules(colourRules);
    expect(await listViolations(axe), `${screen}, ${colorScheme}`).toEqual([]);
  }
}

/** Asserts that axe finds no violation in the dark colour scheme. */
export async function expectAccessibleInDark(page: Page, screen: string): Promise<void> {
  await addAxe(page);
  await showIn(page, "dark");
  expect(await listViolations(createAxe(page)), screen).toEqual([]);
}
