import type { Page } from "@playwright/test";
import { generateSync } from "otplib";
import {
  createNewPerson,
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  newPersonPassword as password,
  test,
} from "#tests/support/browser.ts";

/** Seconds for which a code is valid. The server accepts the codes before and after the current one, too. */
const STEP_SECONDS = 30;

/** Lets the page create and use passkeys without a prompt. */
async function addAuthenticator(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const checks = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
  const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true, ...checks } as const;
  await cdp.send("WebAuthn.addVirtualAuthenticator", { options });
}

/** Plays the authenticator app. Each code works only once, so a code is never of the same or an earlier step. */
function startApp(secret: string): () => string {
  let lastStep = 0;
  return () => {
    lastStep = Math.max(Math.floor(Date.now() / 1_000 / STEP_SECONDS), lastStep + 1);
    return generateSync({ secret, epoch: lastStep * STEP_SECONDS });
  };
}

/** Returns what a customer does on the sign-in page, before the second step. */
async function startSigningIn(page: Page) {
  const email = await createNewPerson(page);
  return {
    firstStep: async (path = "/login/") => {
      await page.goto(path);
      await page.getByLabel("Username").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.getByRole("button", { name: "Login" }).click();
    },
    signOut: async () => {
      await page.goto("/logout/");
      await expect(page).toHaveURL("/");
    },
  };
}

/** Downloads the recovery codes from the dialog that shows them, and returns them. */
async function saveRecoveryCodes(page: Page): Promise<string[]> {
  const dialog = page.getByRole("dialog", { name: "Your recovery codes" });
  await expect(dialog).toBeVisible();
  // The texts of a list of elements, asked for in one call, crash Firefox ESR.
  const codes = (await dialog.getByRole("list").innerText()).split("\n");
  expect(codes).toHaveLength(10);
  await expectAccessible(page, "the recovery codes");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("recovery-codes.txt");
  await page.getByRole("button", { name: "I have saved my codes" }).click();
  await expect(page.getByText(/^Two-step sign-in has been on since/)).toBeVisible();
  return codes;
}

test("a customer adds an app, signs in with it and with a recovery code, and turns two steps off", async ({ page }) => {
  const { firstStep, signOut } = await startSigningIn(page);
  await firstStep("/login/?returnUrl=%2Ftwo-step-sign-in%2F");
  await expect(page.getByText("Two-step sign-in is off.")).toBeVisible();
  await page.getByRole("button", { name: "Set up app" }).click();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  await expectAccessible(page, "setting the app up");
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
  await page.setViewportSize({ width: 1280, height: 720 });
  const secret = ((await page.getByRole("dialog").locator("code").textContent()) ?? "").replaceAll(" ", "");
  const nextCode = startApp(secret);
  await page.getByLabel("Code", { exact: true }).fill(nextCode());
  await page.getByRole("button", { name: "Confirm" }).click();
  const codes = await saveRecoveryCodes(page);
  await expectAccessible(page, "two-step sign-in, on");
  await signOut();

  // Sign in with the app and continue to the requested page.
  await firstStep("/login/?returnUrl=%2Fsessions%2F");
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.locator("form").getByText(/^That code is incorrect/)).toBeVisible();
  await expectAccessible(page, "a wrong code");
  await page.getByLabel("Code", { exact: true }).fill(nextCode());
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL("/sessions/");
  await signOut();

  await firstStep();
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill(codes[0] ?? "");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "My Account" })).toBeVisible();

  await page.goto("/two-step-sign-in/");
  await expect(page.getByText("9 codes left.")).toBeVisible();
  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByLabel("Password", { exact: true }).fill(password);
  // A third code of the app would be too far ahead of the clock.
  await page.getByLabel("Code", { exact: true }).fill(codes[1] ?? "");
  await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByText("Two-step sign-in is off.")).toBeVisible();
});

test("a customer adds a passkey, signs in with it alone and after the password, and turns it off", {
  tag: "@long",
}, async ({ page, browserName }) => {
  test.skip(browserName !== "chromium", "Only Chromium can play a passkey.");
  await addAuthenticator(page);
  const { firstStep, signOut } = await startSigningIn(page);
  await firstStep("/login/?returnUrl=%2Ftwo-step-sign-in%2F");
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await expectAccessible(page, "the proof for a passkey");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Office laptop");
  await page.getByRole("button", { name: "Save" }).click();
  await saveRecoveryCodes(page);
  await signOut();

  await page.goto("/login/?returnUrl=%2Fsessions%2F");
  await expectAccessible(page, "the sign-in page");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page).toHaveURL("/sessions/");
  await signOut();

  await firstStep();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "My Account" })).toBeVisible();
  await page.goto("/two-step-sign-in/");
  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByText("Two-step sign-in is off.")).toBeVisible();
});
