import type { Page } from "@playwright/test";
import { expect, test } from "#tests/support/browser.ts";

/** Opens a prerendered page. Its scripts wait until `startScripts` is called. */
async function openSlowly(page: Page, path: string): Promise<{ startScripts: () => void }> {
  let startScripts = () => {};
  const started = new Promise<void>((resolve) => {
    startScripts = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await started;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "domcontentloaded" });
  return { startScripts };
}

const expectNotReady = (page: Page) => expect(page.locator("html[data-page-ready]")).toHaveCount(0);
const expectReady = (page: Page) => expect(page.locator("html[data-page-ready]")).toHaveCount(1);

for (const { width, height, panels } of [
  { width: 1440, height: 900, panels: ["/product/xer-professional/", "/faqs/", "/legals/"] },
  { width: 390, height: 844, panels: ["/faqs/"] },
])
  test.describe(`before the scripts run, at ${width} px`, () => {
    test.use({ viewport: { width, height } });

    for (const path of panels)
      test(`remembers a click on a panel of ${path} and opens it once they run`, async ({ page }) => {
        const { startScripts } = await openSlowly(page, path);
        const folded = page.locator('main button[aria-expanded="false"][aria-controls$="-panel"]').first();
        const panel = await folded.getAttribute("aria-controls");
        const button = page.locator(`[aria-controls="${panel}"]`);
        await button.click();
        await button.click();
        await expect(button).toHaveAttribute("aria-busy", "true");
        await expectNotReady(page);
        startScripts();
        await expect(button).toHaveAttribute("aria-expanded", "true");
        await expect(button).not.toHaveAttribute("aria-busy");
        await expect(page.locator(`[id="${panel}"]`)).toBeVisible();
      });

    test("remembers a click in the header and applies it once they run", async ({ page }) => {
      const { startScripts } = await openSlowly(page, "/faqs/");
      await page.locator("#root header").getByRole("button", { name: "Use dark colours" }).first().click();
      await expectNotReady(page);
      startScripts();
      await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
    });

    test("remembers text typed in the FAQ search and filters the FAQs by it once they run", async ({ page }) => {
      const { startScripts } = await openSlowly(page, "/faqs/");
      await page.getByRole("search").getByRole("searchbox").fill("refund");
      await page.getByRole("search").getByRole("searchbox").press("Enter");
      await expectNotReady(page);
      startScripts();
      await expectReady(page);
      await expect(page.getByRole("button", { name: "What does Planvarro convert?" })).toBeHidden();
    });

    test.describe("after a translation", () => {
      // React reports that it renders a changed page again.
      test.use({ expectedProblem: /React error #418/ });
      test("keeps input if a translation changes the page before they run", async ({ page }) => {
        const { startScripts } = await openSlowly(page, "/contact-us/");
        await page.getByLabel("Name").fill("Ada Lovelace");
        await page.getByLabel("Message").fill("Please call me.");
        // As the browser's translation does.
        await page.evaluate(() => {
          for (const element of document.querySelectorAll("#root :is(h1, label, p, a, button)"))
            element.innerHTML = `<font>${element.textContent}</font>`;
        });
        await page.getByLabel("Message").focus();
        startScripts();
        await expectReady(page);
        await expect(page.getByLabel("Name")).toHaveValue("Ada Lovelace");
        await expect(page.getByLabel("Message")).toHaveValue("Please call me.");
        await page.getByLabel("Email").fill("ada@example.com");
        await expect(page.getByLabel("Name")).toHaveValue("Ada Lovelace");
      });
    });

    test("keeps input in the registration form and doesn't put the password in the URL", async ({ page }) => {
      const { startScripts } = await openSlowly(page, "/register/");
      await page.getByLabel("First Name").fill("Ada");
      await page.getByLabel("Password", { exact: true }).fill("Critical-path-31");
      const terms = page.getByRole("button", { name: "Accept terms and privacy policy" });
      await terms.click();
      await page.locator("main").getByRole("button", { name: "Submit" }).click();
      await expectNotReady(page);
      expect(page.url()).not.toContain("Analytical");
      startScripts();
      await expect(terms).toHaveAttribute("aria-pressed", "true");
      await expect(page.getByText("Last name is required.").first()).toBeVisible();
      await expect(page.getByLabel("First Name")).toHaveValue("Ada");
      await expect(page.getByLabel("Password", { exact: true })).toHaveValue("Critical-path-31");
      expect(new URL(page.url()).search).toBe("");
    });
  });

test("keeps what is typed before a reloaded page has finished loading", async ({ page }) => {
  const { startScripts } = await openSlowly(page, "/contact-us/");
  await page.reload({ waitUntil: "domcontentloaded" });
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.evaluate(() => window.dispatchEvent(new Event("pageshow")));
  await expectNotReady(page);
  startScripts();
  await expectReady(page);
  await expect(page.getByLabel("Name")).toHaveValue("Ada Lovelace");
});

test("says that the login page needs scripts and never puts a password in a URL", async ({ request }) => {
  const html = await (await request.get("/login/")).text();
  expect(html).toContain("<noscript><p>This form needs JavaScript.");
  expect(/<form[^>]*>/.exec(html)?.[0]).toContain('method="post"');
});
