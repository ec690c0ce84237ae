import type { Page, Request } from "@playwright/test";
import { generateSync } from "otplib";
import {
  sendGraphqlAs,
  expect,
  expectAccessible,
  createNewPerson,
  newPersonPassword,
  test,
} from "#tests/support/browser.ts";
import { answer, openSignInDialog, choose, open, run } from "#tests/support/explorer-page.ts";

const ada = { email: "ada@demo.test", password: "Demo-pass-1" };

/** Creates a token for Ada, runs `use` and revokes the token. */
async function withToken(page: Page, scopes: readonly string[], use: (secret: string) => Promise<void>): Promise<void> {
  const { createPersonalAccessToken: created } = (await sendGraphqlAs(
    page,
    ada,
    `mutation ($input: PersonalAccessTokenInput!) { createPersonalAccessToken(input: $input) { secret token { id } } }`,
    { input: { name: "Explorer test", scopes, expiresInDays: 1 } },
  )) as unknown as { createPersonalAccessToken: { secret: string; token: { id: string } } };
  try {
    await use(created.secret);
  } finally {
    const { id } = created.token;
    await sendGraphqlAs(page, ada, "mutation ($id: ID!) { revokePersonalAccessToken(id: $id) { id } }", { id });
  }
}

async function pasteToken(page: Page, secret: string): Promise<void> {
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("textbox", { name: "Personal access token" }).fill(secret);
  await page.getByRole("button", { name: "Use token" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

/** Returns everything the browser stores for the site and everything on the page. */
async function readStoredData(page: Page): Promise<string> {
  const visible = await page.evaluate(() => [
    JSON.stringify(sessionStorage),
    location.href,
    history.state as unknown,
    document.documentElement.outerHTML,
    [...document.querySelectorAll("input, textarea")].map((field) => (field as HTMLInputElement).value),
  ]);
  return JSON.stringify([visible, await page.context().storageState({ indexedDB: true })]);
}

test("sends a pasted token only to /graphql, with its owner's scopes, and never stores it", async ({ page }) => {
  await withToken(page, ["profile:read", "licences:read"], async (secret) => {
    const tokenPaths: string[] = [];
    const leaked: string[] = [];
    page.on("request", (request: Request) => {
      if (request.headers().authorization === `Bearer ${secret}`) tokenPaths.push(new URL(request.url()).pathname);
      if (`${request.url()}${request.postData() ?? ""}`.includes(secret)) leaked.push(request.url());
    });
    await open(page);
    await pasteToken(page, secret);
    const caller = page.getByRole("status").filter({ hasText: "Ada Byron" });
    await expect(caller).toHaveText(`Ada Byron, token …${secret.slice(-4)}`);
    await choose(page, "My licences and devices");
    await run(page);
    await expect(answer(page)).toContainText("BNE-PLAN-007");
    await page.getByRole("button", { name: "New tab" }).click();
    await choose(page, "Subscription and tax invoices");
    await run(page);
    await expect(answer(page)).toContainText("FORBIDDEN");
    expect(await readStoredData(page)).not.toContain(secret.slice(0, 20));
    expect(new Set(tokenPaths)).toEqual(new Set(["/graphql"]));
    expect(leaked).toEqual([]);

    await page.getByRole("button", { name: "Remove token" }).click();
    await expect(page.getByText("Not signed in")).toBeVisible();
    await expect(answer(page)).not.toContainText("FORBIDDEN");
    tokenPaths.length = 0;
    await page
      .getByRole("list", { name: "Select active operation" })
      .getByRole("button", { name: "MyLicences" })
      .click();
    await expect(page.locator(".graphiql-query-editor")).toContainText("licences");
    await expect(answer(page)).not.toContainText("BNE-PLAN-007");
    await run(page);
    await expect(answer(page)).toContainText("UNAUTHENTICATED");
    expect(tokenPaths).toEqual([]);
  });
});

test("drops a pasted token on reload and explains why a revoked one is rejected", async ({ page }) => {
  let revoked = "";
  await withToken(page, ["licences:read"], async (secret) => {
    revoked = secret;
    await open(page);
    await pasteToken(page, secret);
    // This token can't read the profile.
    await expect(page.getByText(`Token …${secret.slice(-4)}`)).toBeVisible();
    await page.reload();
    await expect(page.getByText("Not signed in")).toBeVisible();
  });
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("textbox", { name: "Personal access token" }).fill(revoked);
  await page.getByRole("button", { name: "Use token" }).click();
  await expect(
    page.getByText("We don't recognise this token. It may have been revoked, expired or mistyped."),
  ).toBeVisible();
  await expect(page.getByText("Not signed in")).toBeAttached();
});

test("supports two-step sign-in and clears everything after signing out", async ({ page }) => {
  const email = await createNewPerson(page);
  const user = { email, password: newPersonPassword };
  const { beginAuthenticatorApp: app } = (await sendGraphqlAs(
    page,
    user,
    "mutation ($proof: IdentityProofInput!) { beginAuthenticatorApp(proof: $proof) { secret } }",
    { proof: { password: newPersonPassword } },
  )) as unknown as { beginAuthenticatorApp: { secret: string } };
  const date = (await page.request.get("/health/ready")).headers().date ?? "";
  const code = (steps: number) =>
    generateSync({ secret: app.secret, epoch: Math.floor(Date.parse(date) / 1_000) + steps * 30 });
  await sendGraphqlAs(
    page,
    user,
    "mutation ($input: AuthenticatorAppCodeInput!) { confirmAuthenticatorApp(input: $input) }",
    {
      input: { code: code(0) },
    },
  );

  await open(page);
  const dialog = await openSignInDialog(page, email, newPersonPassword);
  await expect(dialog.getByRole("heading", { name: "Second step" })).toBeVisible();
  await expect(dialog.getByLabel("Code", { exact: true })).toBeFocused();
  await expect(dialog.getByRole("textbox", { name: "Personal access token" })).toHaveCount(0);
  await expectAccessible(page, "the second step in the explorer");
  await dialog.getByLabel("Code", { exact: true }).fill("000000");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.locator("form").getByText(/^That code is incorrect/)).toBeVisible();
  // Uses the next code, because each code works once and the server accepts codes one step ahead.
  await dialog.getByLabel("Code", { exact: true }).fill(code(1));
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("status").filter({ hasText: "Grace Hopper" })).toContainText("Customer");
  await choose(page, "My licences and devices");
  await run(page);
  await expect(answer(page)).toContainText('"licences": []');
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByText("Not signed in")).toBeVisible();
  await expect(answer(page)).not.toContainText("licences");
  expect(await page.evaluate(() => localStorage.getItem("xer-portal.session"))).toBeNull();
});
