/** Takes screenshots of the running portal: in both colour schemes for the public site, and in one for the README. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { screens } from "../../web/site/screens/screens.ts";
import { root } from "../../scripts/runtime.mjs";
import { createAddin, listLicences } from "./addin.mjs";
import { renderFirstPage, writeSmallPng, writeWebp } from "./encode.mjs";
import { waitUntilIdle, openPage, signIn } from "./portal.mjs";
import { takeSeats } from "./take-seats.mjs";

const screensFolder = join(root, "web", "public", "media", "screens");
/** Largest size of a screenshot in kilobytes. */
const LIMIT_KB = 60;
const docsFolder = join(root, "docs", "screenshots");

/** Height of the contact line above the header, which screenshots leave out. */
const CONTACT_LINE = 36;

/** Steps that lead to each picture listed in `web/site/screens/screens.ts`. */
const scenes = [
  { name: "my-account", who: "ada", path: "/my-account/", prepare: openRowMenuUpwards },
  { name: "devices", who: "ada", path: "/my-account/", prepare: openDevices },
  { name: "tax-invoices", who: "ada", path: "/tax-invoices/" },
  { name: "subscribe", who: "new", path: "/manage-subscription/", prepare: chooseProfessional },
  { name: "seats", who: "corporate", path: "/seats/" },
];

/** Takes the screenshots for the public site in light and dark, and a picture of the first page of a tax invoice. */
export async function createScreens(portal) {
  const created = [];
  const seats = `/seats/${await takeSeats(portal.url)}/`;
  for (const scheme of ["light", "dark"])
    for (const who of new Set(scenes.map((scene) => scene.who))) {
      const page = await openPage(portal, { scheme });
      await signIn(page, who);
      for (const { name, path, prepare } of scenes.filter((scene) => scene.who === who)) {
        await page.setViewportSize({ width: 1280, height: 1000 });
        await page.goto(name === "seats" ? seats : path);
        await waitUntilIdle(page);
        await prepare?.(page);
        const { width, height } = screens[name];
        const clip = { x: 0, y: CONTACT_LINE, width, height };
        const file = join(screensFolder, `${name}-${scheme}.webp`);
        writeWebp(await page.screenshot({ clip, caret: "hide" }), file, LIMIT_KB);
        created.push({ file, limitKb: LIMIT_KB });
      }
      if (who === "ada" && scheme === "light") created.push(await createInvoice(page));
      await page.context().close();
    }
  return created;
}

/** Creates the picture of the first page of a tax invoice, which is white in both colour schemes. */
async function createInvoice(page) {
  await page.goto("/tax-invoices/");
  await waitUntilIdle(page);
  const download = page.waitForEvent("download");
  await page
    .getByRole("button", { name: /Download/ })
    .last()
    .click();
  const file = join(screensFolder, "tax-invoice.webp");
  writeWebp(
    renderFirstPage(await readFile(await (await download).path()), 2 * screens["tax-invoice"].width),
    file,
    LIMIT_KB,
  );
  return { file, limitKb: LIMIT_KB };
}

async function openRowMenu(page) {
  await page.locator("table tbody button").first().click();
  await page.getByRole("menuitem", { name: /Download/ }).waitFor();
}

/** Opens the row menu in a short window, so that it opens upwards over the card's empty corner. */
async function openRowMenuUpwards(page) {
  await page.setViewportSize({ width: 1280, height: 780 });
  await openRowMenu(page);
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
