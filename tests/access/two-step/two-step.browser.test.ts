import type { Page } from "@playwright/test";
import { generateSync } from "otplib";
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  createNewPerson,
  newPersonPassword as password,
  test,
} from "#tests/support/browser.ts";

test.describe.configure({ timeout: 120_000 });

/** Returns the app's next code. Each code works only once. */
async function nextCode(page: Page, secret: string): Promise<string> {
  const answer = await page.request.post("/dev/clock", { data: { advanceSeconds: 30 } });
  expect(answer.ok()).toBe(true);
  const { now } = (await answer.json()) as { now: string };
  return generateSync({ secret, epoch: Math.floor(new Date(now).getTime() / 1_000) });
}

async function firstStep(page: Page, email: string, path = "/login/"): Promise<void> {
  await page.goto(path);
  await page.getByLabel("Username").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("heading", { name: "Second step" })).toBeVisible();
}

async function signOut(page: Page): Promise<void> {
  await page.goto("/logout/");
  await expect(page).toHaveURL("/");
}

test.afterEach(async ({ page }) => {
  await page.request.post("/dev/clock", { data: { reset: true } });
});

test("sets up, uses and turns off an app, a passkey and recovery codes", async ({ page }) => {
  // A long test, with an axe check at every step.
  test.setTimeout(150_000);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const email = await createNewPerson(page);
  await page.goto("/login/");
  await page.getByLabel("Username").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByRole("link", { name: "Two-step sign-in" }).first().click();
  await expect(page.getByText("Two-step sign-in is off.")).toBeVisible();
  await expectAccessible(page, "two-step sign-in, off");

  await page.getByRole("button", { name: "Set up app" }).click();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await expectAccessible(page, "the proof");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  const secret = ((await page.getByRole("dialog").locator("code").textContent()) ?? "").replaceAll(" ", "");
  await expectAccessible(page, "setting the app up");
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByLabel("Code", { exact: true }).fill(await nextCode(page, secret));
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("dialog", { name: "Your recovery codes" })).toBeVisible();
  const codes = await page.getByRole("dialog").locator("code").allTextContents();
  expect(codes).toHaveLength(10);
  await expectAccessible(page, "the recovery codes");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("recovery-codes.txt");
  await page.getByRole("button", { name: "I have saved my codes" }).click();
  await expect(page.getByText(/^Two-step sign-in has been on since/)).toBeVisible();

  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Code", { exact: true }).fill(await nextCode(page, secret));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Office laptop");
  await expectAccessible(page, "naming a passkey");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Office laptop")).toBeVisible();
  await expect(page.getByText("The passkey has been added.")).toBeVisible();
  await expectAccessible(page, "two-step sign-in, on");
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await signOut(page);

  // Sign in with the app and continue to the requested page.
  await firstStep(page, email, "/login/?returnUrl=%2Fsessions%2F");
  await expectAccessible(page, "the second step");
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.locator("form").getByText(/^That code is incorrect/)).toBeVisible();
  await expectAccessible(page, "a wrong code");
  await page.getByLabel("Code", { exact: true }).fill(await nextCode(page, secret));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL("/sessions/");
  await signOut(page);

  // Sign in with the passkey.
  await firstStep(page, email);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "My Account" })).toBeVisible();
  await signOut(page);

  // Sign in with a recovery code.
  await firstStep(page, email);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill(codes[0] ?? "");
  await expectAccessible(page, "a recovery code");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "My Account" })).toBeVisible();

  await page.goto("/two-step-sign-in/");
  await expect(page.getByText("9 codes left.")).toBeVisible();
  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("button", { name: "Use a passkey instead" }).click();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await expectAccessible(page, "turning it off");
  await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByText("Two-step sign-in is off.")).toBeVisible();
});
