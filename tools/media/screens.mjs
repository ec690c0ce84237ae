/** Takes screenshots of the running portal: in both colour schemes for the public site, and in one for the README. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { screens } from "../../web/site/screens/screens.ts";
import { root } from "../../scripts/runtime.mjs";
import { createAddin, listLicences } from "./addin.mjs";
import { writeSmallPng, writeWebp } from "./encode.mjs";
import { waitUntilIdle, openPage, signIn } from "./portal.mjs";

const screensFolder = join(root, "web", "public", "media", "screens");
/** Largest size of a screenshot in kilobytes. */
const LIMIT_KB = 60;
const docsFolder = join(root, "docs", "screenshots");

/** Takes the screenshot of My Account for the public site in light and dark. */
export async function createScreens(portal) {
  const created = [];
  for (const scheme of ["light", "dark"]) {
    const page = await openPage(portal, { scheme });
    await signIn(page, "ada");
    await page.setViewportSize({ width: 1280, height: 760 });
    await page.goto("/my-account/");
    await waitUntilIdle(page);
    const clip = { x: 0, y: 0, width: screens["my-account"].width, height: screens["my-account"].height };
    const file = join(screensFolder, `my-account-${scheme}.webp`);
    writeWebp(await page.screenshot({ clip, caret: "hide" }), file, LIMIT_KB);
    created.push({ file, limitKb: LIMIT_KB });
    await page.context().close();
  }
  return created;
}

async function openRowMenu(page) {
  await page.locator("table tbody button").first().click();
  await page.getByRole("menuitem", { name: /Download/ }).waitFor();
}

async function openDevices(page) {
  await openRowMenu(page);
  await page.getByRole("menuitem", { name: /Activated Devices/ }).click();
  await page.getByRole("heading", { level: 1, name: "Manage Activated Devices" }).waitFor();
  await waitUntilIdle(page);
}

async function chooseProfessional(page) {
  await page.getByRole("radio", { name: /^Professional, yearly/ }).check();
  await page
    .getByText(/^A\$[\d,.]+$/)
    .first()
    .waitFor();
  await waitUntilIdle(page);
}

/** Pictures for the README and the documents. Each is a file in docs/screenshots. */
const docsPictures = [
  { name: "home", path: "/" },
  { name: "register", path: "/register/" },
  { name: "my-account", who: "ada", path: "/my-account/" },
  { name: "devices", who: "ada", path: "/my-account/", prepare: openDevices },
  { name: "subscribe", who: "new", path: "/manage-subscription/", prepare: chooseProfessional },
  { name: "activate", who: "ada", path: "/my-account/", prepare: enterUserCode },
  { name: "licence-history", who: "ada", path: "/my-account/", prepare: explainRefusal },
  { name: "manage-users", who: "admin", path: "/admin/manage-users/" },
  { name: "update-user", who: "admin", path: "/admin/manage-users/?q=corporate%40demo.test", prepare: openLicencesTab },
  { name: "dashboard", who: "admin", path: "/admin/dashboard/" },
  { name: "reports", who: "admin", path: "/admin/reports-page/", prepare: previewReport },
];

/** Takes the screenshots for the README and the documents in the light scheme. */
export async function createDocsPictures(portal) {
  const created = [];
  for (const { name, who, path, prepare } of docsPictures) {
    const page = await openPage(portal, { width: 1440, height: 900, scale: 1 });
    if (who) await signIn(page, who);
    await page.goto(path);
    await waitUntilIdle(page);
    await prepare?.(page, portal.url);
    const file = join(docsFolder, `${name}.png`);
    writeSmallPng(await page.screenshot({ caret: "hide" }), file);
    created.push({ file, limitKb: 150 });
    await page.context().close();
  }
  return created;
}

/** Requests activation of a second machine with a user code. */
async function enterUserCode(page, url) {
  const begun = await createAddin(url, "LAPTOP-ADA", "PLANNING\\ada")("device-authorization", { clientId: "addin" });
  await page.goto(begun.verification_uri_complete);
  await waitUntilIdle(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Activate LAPTOP-ADA?" }).waitFor();
  await waitUntilIdle(page);
}

/** Tries to activate a second machine, which is refused, and opens the licence history. */
async function explainRefusal(page, url) {
  const [{ id, licenceCode }] = await listLicences(url, "ada");
  await createAddin(url, "LAPTOP-ADA", "PLANNING\\ada")("activate", { licenceCode });
  await page.goto(`/licence-history/${id}/`);
  await waitUntilIdle(page);
}

async function openLicencesTab(page) {
  await page.locator("table tbody button").first().click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByRole("tab", { name: "Licences" }).click();
  await page
    .getByRole("button", { name: /Actions/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Update" }).waitFor();
  await pause(250);
}

/** Previews a report without user names, because this machine may lack fonts for some writing systems. */
async function previewReport(page) {
  const type = page.getByLabel("Report Type");
  const option = type.locator("option", { hasText: "Validations" }).first();
  await type.selectOption((await option.getAttribute("value")) ?? "");
  await page.getByRole("button", { name: "This financial year" }).click();
  await page.getByRole("slider").waitFor();
  await waitUntilIdle(page);
}
