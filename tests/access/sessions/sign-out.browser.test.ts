import type { Page } from "@playwright/test";
import { expect, expectAccessible, signInAsDemo, test } from "#tests/support/browser.ts";

/** Starts counting how often a page sends an operation. Returns a function that returns the count so far. */
function countPosts(page: Page, operation: string): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && (request.postData() ?? "").includes(`"operationName":"${operation}"`))
      count += 1;
  });
  return () => count;
}

test("shows no private data after signing out and going back, and discards drafts", async ({ page }) => {
  await signInAsDemo(page, "corporate", "/contact-us/");
  await expect(page.getByLabel("Phone Number")).not.toHaveValue("");
  await page.getByLabel("Message").fill("Private words");
  await page.goto("/my-account/");
  await expect(page.getByRole("main").getByText("corporate@demo.test")).toBeVisible();
  await page.goto("/sessions/");
  await expect(page.getByText("This session")).toBeVisible();
  await page.goto("/logout/");
  await expect(page).toHaveURL("/");

  for (let steps = 0; steps < 3; steps++) {
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    for (const words of ["corporate@demo.test", "This session", "Private words"])
      await expect(page.getByText(words)).toHaveCount(0);
  }
  await page.goto("/contact-us/");
  await expect(page.getByLabel("Message")).toHaveValue("");
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue("");
  expect(
    await page.evaluate(() => [...Object.values(localStorage), ...Object.values(sessionStorage)].join()),
  ).not.toMatch(/Private|corporate@|eyJ/);
});

test("signs out all tabs and signs them in again for another user", async ({ page }) => {
  await signInAsDemo(page, "corporate");
  const other = await page.context().newPage();
  await other.goto("/change-password/");
  await expect(other.getByRole("heading", { level: 1, name: "Change Password" })).toBeVisible();
  await page.goto("/logout/");
  await expect(other).toHaveURL("/login/?returnUrl=%2Fchange-password%2F");
  await signInAsDemo(page, "new");
  await expect(other.getByRole("heading", { level: 1, name: "Change Password" })).toBeVisible();
});

test("keeps a registration draft across reloads and navigation and submits it once", async ({ page }) => {
  const email = `grace.${crypto.randomUUID()}@example.test`;
  const posts = countPosts(page, "Register");
  await page.goto("/register/");
  await page.getByLabel("First Name").fill("Grace");
  await page.getByLabel("Password", { exact: true }).fill("Compiler-1952");
  await page.getByLabel("Find address").fill("mount gra");
  await page.getByRole("option", { name: "Mount Gravatt QLD 4122", exact: true }).click();
  await page.reload();
  await expect(page.getByText("We restored what you typed earlier.")).toBeVisible();
  await expect(page.getByLabel("City")).toHaveValue("Mount Gravatt");
  await expect(page.getByLabel("State")).toHaveValue("QLD");
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue("");
  await expectAccessible(page, "a registration that was brought back");
  await page.getByRole("main").getByRole("link", { name: "Login Now" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Login" })).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel("First Name")).toHaveValue("Grace");

  const rest = { "Last Name": "Hopper", Position: "Planner", Phone: "0400 000 000", "Street number": "1" };
  for (const [label, value] of Object.entries(rest)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByLabel("Street name").fill("Logan Road");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill("Compiler-1952");
  await page.getByLabel("Confirm password").fill("Compiler-1952");
  await page.getByRole("button", { name: "Accept terms and privacy policy" }).click();
  await page.getByRole("button", { name: "Submit" }).dblclick();
  await expect(page.getByText(email)).toBeVisible();
  expect(posts()).toBe(1);
  const emails = await (await page.request.get(`/dev/mail.json?to=${encodeURIComponent(email)}`)).json();
  expect(emails).toHaveLength(1);
  await page.goBack();
  await expect(page.getByLabel("First Name")).toHaveValue("");
});

test("keeps a profile draft across a reload until it is submitted", async ({ page }) => {
  await signInAsDemo(page, "new");
  const posts = countPosts(page, "UpdateProfile");
  await page.goto("/update-profile/");
  const company = page.getByLabel("Organisation / Company Name");
  const name = `Analytical ${crypto.randomUUID().slice(0, 8)}`;
  await company.fill(name);
  await page.reload();
  await expect(company).toHaveValue(name);
  await expectAccessible(page, "a profile that was brought back");
  await page.getByRole("button", { name: "Submit" }).dblclick();
  await expect(page.getByText("Your profile has been successfully updated.")).toBeVisible();
  await expect(page.getByText("We restored what you typed earlier.")).toHaveCount(0);
  expect(posts()).toBe(1);
  await page.reload();
  await expect(company).toHaveValue(name);
  await expect(page.getByText("We restored what you typed earlier.")).toHaveCount(0);
});
