import type { Page, Request } from "@playwright/test";
import { generateSync } from "otplib";
import { askAs, expect, expectAccessible, newPerson, personPassword, test } from "#tests/support/browser.ts";
import { answer, askToSignIn, choose, open, run } from "#tests/support/explorer-page.ts";

test.describe.configure({ timeout: 120_000 });

const ada = { email: "ada@demo.test", password: "Demo-pass-1" };

/** A token of Ada's, which she revokes at the end. */
async function withToken(page: Page, scopes: readonly string[], use: (secret: string) => Promise<void>): Promise<void> {
  const { createPersonalAccessToken: made } = (await askAs(
    page,
    ada,
    `mutation ($input: PersonalAccessTokenInput!) { createPersonalAccessToken(input: $input) { secret token { id } } }`,
    { input: { name: "Explorer test", scopes, expiresInDays: 1 } },
  )) as unknown as { createPersonalAccessToken: { secret: string; token: { id: string } } };
  try {
    await use(made.secret);
  } finally {
    const { id } = made.token;
    await askAs(page, ada, "mutation ($id: ID!) { revokePersonalAccessToken(id: $id) { id } }", { id });
  }
}

async function paste(page: Page, secret: string): Promise<void> {
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.getByRole("textbox", { name: "Personal Access Token" }).fill(secret);
  await page.getByRole("button", { name: "Use Token" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

/** Everything that the browser keeps of the site, and what the page holds of it in view. */
async function keptBy(page: Page): Promise<string> {
  const shown = await page.evaluate(() => [
    JSON.stringify(sessionStorage),
    location.href,
    history.state as unknown,
    document.documentElement.outerHTML,
    [...document.querySelectorAll("input, textarea")].map((field) => (field as HTMLInputElement).value),
  ]);
  return JSON.stringify([shown, await page.context().storageState({ indexedDB: true })]);
}

test("a pasted token asks in its owner's name and scopes, goes to /graphql alone and is kept nowhere", async ({
  page,
}) => {
  await withToken(page, ["profile:read", "licences:read"], async (secret) => {
    const carried: string[] = [];
    const leaked: string[] = [];
    page.on("request", (request: Request) => {
      if (request.headers().authorization === `Bearer ${secret}`) carried.push(new URL(request.url()).pathname);
      if (`${request.url()}${request.postData() ?? ""}`.includes(secret)) leaked.push(request.url());
    });
    await open(page);
    await paste(page, secret);
    const who = page.getByRole("status").filter({ hasText: "Ada Byron" });
    await expect(who).toHaveText(`Ada Byron, token …${secret.slice(-4)}`);
    await choose(page, "My licences and devices");
    await run(page);
    await expect(answer(page)).toContainText("BNE-PLAN-007");
    await page.getByRole("button", { name: "New tab" }).click();
    await choose(page, "Subscription and tax invoices");
    await run(page);
    await expect(answer(page)).toContainText("FORBIDDEN");
    expect(await keptBy(page)).not.toContain(secret.slice(0, 20));
    expect(new Set(carried)).toEqual(new Set(["/graphql"]));
    expect(leaked).toEqual([]);

    await page.getByRole("button", { name: "Forget Token" }).click();
    await expect(page.getByText("You ask as a visitor")).toBeVisible();
    await expect(answer(page)).not.toContainText("FORBIDDEN");
    carried.length = 0;
    await page
      .getByRole("list", { name: "Select active operation" })
      .getByRole("button", { name: "MyLicences" })
      .click();
    await expect(page.locator(".graphiql-query-editor")).toContainText("licences");
    await expect(answer(page)).not.toContainText("BNE-PLAN-007");
    await run(page);
    await expect(answer(page)).toContainText("UNAUTHENTICATED");
    expect(carried).toEqual([]);
  });
});

test("a pasted token is forgotten when the page is loaded again; one that was revoked is refused in words", async ({
  page,
}) => {
  let revoked = "";
  await withToken(page, ["licences:read"], async (secret) => {
    revoked = secret;
    await open(page);
    await paste(page, secret);
    // It may not read whose it is.
    await expect(page.getByText(`A token …${secret.slice(-4)}`)).toBeVisible();
    await page.reload();
    await expect(page.getByText("You ask as a visitor")).toBeVisible();
  });
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.getByRole("textbox", { name: "Personal Access Token" }).fill(revoked);
  await page.getByRole("button", { name: "Use Token" }).click();
  await expect(page.getByText("This token is not known: it was revoked, has expired, or is mistyped.")).toBeVisible();
  await expect(page.getByText("You ask as a visitor")).toBeAttached();
});

test("an account with two-step sign-in answers its second step in the explorer, and leaves nothing when it signs out", async ({
  page,
}) => {
  const email = await newPerson(page);
  const who = { email, password: personPassword };
  const { beginAuthenticatorApp: app } = (await askAs(
    page,
    who,
    "mutation ($proof: IdentityProofInput!) { beginAuthenticatorApp(proof: $proof) { secret } }",
    { proof: { password: personPassword } },
  )) as unknown as { beginAuthenticatorApp: { secret: string } };
  const date = (await page.request.get("/health/ready")).headers().date ?? "";
  const code = (steps: number) =>
    generateSync({ secret: app.secret, epoch: Math.floor(Date.parse(date) / 1_000) + steps * 30 });
  await askAs(page, who, "mutation ($input: AuthenticatorAppCodeInput!) { confirmAuthenticatorApp(input: $input) }", {
    input: { code: code(0) },
  });

  await open(page);
  const dialog = await askToSignIn(page, email, personPassword);
  await expect(dialog.getByRole("heading", { name: "Second step" })).toBeVisible();
  await expect(dialog.getByLabel("Code", { exact: true })).toBeFocused();
  await expect(dialog.getByRole("textbox", { name: "Personal Access Token" })).toHaveCount(0);
  await expectAccessible(page, "the second step in the explorer");
  await dialog.getByLabel("Code", { exact: true }).fill("000000");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.locator("form").getByText(/^That code is incorrect/)).toBeVisible();
  // The next one: each works once, and one step ahead is let pass.
  await dialog.getByLabel("Code", { exact: true }).fill(code(1));
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("status").filter({ hasText: "Grace Hopper" })).toContainText("Customer");
  await choose(page, "My licences and devices");
  await run(page);
  await expect(answer(page)).toContainText('"licences": []');
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page.getByText("You ask as a visitor")).toBeVisible();
  await expect(answer(page)).not.toContainText("licences");
  expect(await page.evaluate(() => localStorage.getItem("xer-portal.session"))).toBeNull();
});
