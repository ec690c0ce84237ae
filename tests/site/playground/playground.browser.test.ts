import type { Page } from "@playwright/test";
import { createBareProgram } from "#tests/factories/click-once.ts";
import { expect, expectAccessible, expectNoHorizontalScroll, sendGraphqlAs, test } from "#tests/support/browser.ts";

const ada = { email: "ada@demo.test", password: "Demo-pass-1" };
const response = (page: Page) => page.getByRole("region", { name: "Result Window" });
const editor = (page: Page) => page.locator(".graphiql-query-editor");
const run = (page: Page) => page.getByRole("button", { name: /^Execute query/ }).click();

/** Opens the explorer with its first example. */
async function open(page: Page, path = "/playground/"): Promise<void> {
  expect((await page.goto(path))?.status()).toBe(200);
  await editor(page).locator(".view-line").first().filter({ hasText: "Needs no sign-in" }).waitFor();
}

async function choose(page: Page, example: string): Promise<void> {
  const panel = page.getByRole("region", { name: "Examples" });
  if (!(await panel.isVisible())) await page.getByRole("button", { name: "Show Examples" }).click();
  await panel.getByRole("button", { name: example }).click();
}

/** Waits until the variables of "My licences and devices" are stored. GraphiQL does so half a second after they change. */
async function waitForVariables(page: Page): Promise<void> {
  await page.waitForFunction(() => /events\W+: /.test(localStorage.getItem("graphiql:tabState") ?? ""));
}

async function signIn(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("Username").fill(ada.email);
  await page.getByLabel("Password", { exact: true }).fill(ada.password);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Ada Byron" })).toBeVisible();
}

async function createToken(page: Page, account: typeof ada, scopes: readonly string[]) {
  const { createPersonalAccessToken: created } = await sendGraphqlAs<{
    createPersonalAccessToken: { secret: string; token: { id: string } };
  }>(
    page,
    account,
    `mutation ($input: PersonalAccessTokenInput!) { createPersonalAccessToken(input: $input) { secret token { id } } }`,
    { input: { name: "Explorer test", scopes, expiresInDays: 1 } },
  );
  const revoke = () =>
    sendGraphqlAs(page, account, "mutation ($id: ID!) { revokePersonalAccessToken(id: $id) { id } }", created.token);
  return { secret: created.secret, revoke };
}

test("shows documentation, runs a query with its cost, and connects only to this server", async ({ page, baseURL }) => {
  const origins = new Set<string>();
  const problems: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) origins.add(new URL(request.url()).origin);
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  await open(page, "/Playground");
  await expect(page).toHaveTitle(/^Schema explorer · /);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Schema explorer");
  await page.getByRole("link", { name: "Query", exact: true }).click();
  await page.getByRole("link", { name: "plans", exact: true }).click();
  await expect(page.getByText("The plans on sale, the flagship first.")).toBeVisible();
  const answered = page.waitForResponse("**/graphql");
  await run(page);
  await expect(response(page)).toContainText("xer-professional");
  expect(await (await answered).json()).toMatchObject({ extensions: { cost: { limit: 1_000 } } });
  expect([...origins]).toEqual([new URL(baseURL ?? "").origin]);
  expect(problems).toEqual([]);
});

test("opens and runs a query while the browser refuses storage", async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("Access is denied for this document.", "SecurityError");
        },
      });
  });
  await open(page);
  await run(page);
  await expect(response(page)).toContainText("xer-professional");
});

test("signs in on the portal's page, returns, and shows no data after signing out", async ({ page }) => {
  await open(page);
  await choose(page, "My licences and devices");
  await run(page);
  await expect(response(page)).toContainText("UNAUTHENTICATED");
  await waitForVariables(page);
  await signIn(page);
  await expect(editor(page)).toContainText("MyLicences");
  await run(page);
  await expect(response(page)).toContainText("BNE-PLAN-007");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByText("Not signed in")).toBeVisible();
  await expect(response(page)).not.toContainText("BNE-PLAN-007");
  expect(await page.evaluate(() => localStorage.getItem("xer-portal.session"))).toBeNull();
});

test("sends a pasted token only to /graphql and never stores it", async ({ page }) => {
  const created = await createToken(page, ada, ["LICENCES_READ", "PROFILE_READ"]);
  const paths = new Set<string>();
  page.on("request", (request) => {
    if (request.headers().authorization === `Bearer ${created.secret}`) paths.add(new URL(request.url()).pathname);
  });
  await open(page);
  await choose(page, "My licences and devices");
  await page.getByLabel("Personal access token").fill(created.secret);
  await run(page);
  await expect(response(page)).toContainText("BNE-PLAN-007");
  await waitForVariables(page);
  await page.getByRole("button", { name: "New tab" }).click();
  await expect(editor(page)).not.toContainText("MyLicences");
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(stored).toContain("MyLicences");
  expect(stored).not.toContain(created.secret.slice(0, 20));
  expect([...paths]).toEqual(["/graphql"]);
  await page.reload();
  await page.getByRole("button", { name: "MyLicences" }).click();
  await run(page);
  await expect(response(page)).toContainText("UNAUTHENTICATED");
  await created.revoke();
});

test("uploads a chosen file as a multipart request, and shows the cost", async ({ page }) => {
  const admin = { email: "admin@demo.test", password: ada.password };
  const created = await createToken(page, admin, ["SOFTWARE_READ", "SOFTWARE_WRITE"]);
  await open(page);
  await choose(page, "Upload a build");
  await page.getByLabel("Personal access token").fill(created.secret);
  const file = { name: "Setup.exe", mimeType: "application/octet-stream", buffer: createBareProgram() };
  await page.getByLabel("Files").setInputFiles(file);
  const answered = page.waitForResponse("**/graphql");
  await run(page);
  const answer = await (await answered).json();
  expect(answer.data).toMatchObject({ uploadSoftware: { version: "9.9.0", state: "UPLOADED" } });
  expect(answer.extensions).toMatchObject({ cost: { requested: 2 } });
  await sendGraphqlAs(page, admin, "mutation ($id: ID!) { deleteSoftwareDraft(buildId: $id) { id } }", {
    id: answer.data.uploadSoftware.id,
  });
  await created.revoke();
});

test("panels are accessible in both colour schemes", async ({ page }) => {
  await open(page);
  await run(page);
  await expect(response(page)).toContainText("xer-professional");
  await page.getByRole("link", { name: "Query", exact: true }).click();
  await expectAccessible(page, "the documentation of a type");
  for (const panel of ["Examples", "GraphiQL Explorer", "History"]) {
    await page.getByRole("button", { name: `Show ${panel}` }).click();
    await expectAccessible(page, panel);
  }
});

test("runs an example and opens the documentation on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  await choose(page, "Suggested addresses");
  await expect(page.getByRole("region", { name: "Examples" })).toHaveCount(0);
  await run(page);
  await expect(response(page)).toContainText("Brisbane");
  await expectNoHorizontalScroll(page);
  await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
  await expect(page.getByRole("region", { name: "Documentation Explorer" })).toBeInViewport();
  await expectAccessible(page, "the documentation on a phone");
});
