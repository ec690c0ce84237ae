/** Screens of the running portal: for the public site in both schemes, for the README in one. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { screens } from "../../web/site/screens/screens.ts";
import { root } from "../../scripts/runtime.mjs";
import { addinOn, licencesOf } from "./addin.mjs";
import { firstPageOf, writeSmallPng, writeWebp } from "./encode.mjs";
import { atRest, openPage, signIn } from "./portal.mjs";
import { takeSeats } from "./take-seats.mjs";

const screensFolder = join(root, "web", "public", "media", "screens");
/** What a screen may weigh. */
const LIMIT_KB = 60;
const docsFolder = join(root, "docs", "screenshots");

/** Height of the line of mailboxes above the header, which a picture of a screen goes without. */
const CONTACT_LINE = 36;

/** How each picture of `web/site/screens/screens.ts` is come to. */
const ways = [
  { name: "my-account", who: "ada", path: "/my-account/", prepare: openRowMenuUpwards },
  { name: "devices", who: "ada", path: "/my-account/", prepare: openDevices },
  { name: "tax-invoices", who: "ada", path: "/tax-invoices/" },
  { name: "subscribe", who: "new", path: "/manage-subscription/", prepare: chooseProfessional },
  { name: "seats", who: "corporate", path: "/seats/" },
];

/** The screens that sell, light and dark, and the first page of a tax invoice. */
export async function makeScreens(portal) {
  const made = [];
  const seats = `/seats/${await takeSeats(portal.url)}/`;
  for (const scheme of ["light", "dark"])
    for (const who of new Set(ways.map((way) => way.who))) {
      const page = await openPage(portal, { scheme });
      await signIn(page, who);
      for (const { name, path, prepare } of ways.filter((way) => way.who === who)) {
        await page.setViewportSize({ width: 1280, height: 1000 });
        await page.goto(name === "seats" ? seats : path);
        await atRest(page);
        await prepare?.(page);
        const { width, height } = screens[name];
        const clip = { x: 0, y: CONTACT_LINE, width, height };
        const file = join(screensFolder, `${name}-${scheme}.webp`);
        writeWebp(await page.screenshot({ clip, caret: "hide" }), file, LIMIT_KB);
        made.push({ file, limitKb: LIMIT_KB });
      }
      if (who === "ada" && scheme === "light") made.push(await makeInvoice(page));
      await page.context().close();
    }
  return made;
}

/** The tax invoice of a plain month on paper, which is white in either scheme. */
async function makeInvoice(page) {
  await page.goto("/tax-invoices/");
  await atRest(page);
  const download = page.waitForEvent("download");
  await page
    .getByRole("button", { name: /Download/ })
    .last()
    .click();
  const file = join(screensFolder, "tax-invoice.webp");
  writeWebp(
    firstPageOf(await readFile(await (await download).path()), 2 * screens["tax-invoice"].width),
    file,
    LIMIT_KB,
  );
  return { file, limitKb: LIMIT_KB };
}

async function openRowMenu(page) {
  await page.locator("table tbody button").first().click();
  await page.getByRole("menuitem", { name: /Download/ }).waitFor();
}

/** In a low window the menu opens over the card's empty corner. */
async function openRowMenuUpwards(page) {
  await page.setViewportSize({ width: 1280, height: 780 });
  await openRowMenu(page);
}

async function openDevices(page) {
  await openRowMenu(page);
  await page.getByRole("menuitem", { name: /Activated Devices/ }).click();
  await page.getByRole("heading", { level: 1, name: "Manage Activated Devices" }).waitFor();
  await atRest(page);
}

async function chooseProfessional(page) {
  const level = page.getByLabel("Subscription Level");
  const option = level.locator("option", { hasText: /Professional.*year/i });
  await level.selectOption((await option.getAttribute("value")) ?? "");
  await page
    .getByText(/^A\$[\d,.]+$/)
    .first()
    .waitFor();
  await atRest(page);
}

/** What the README and the documents show: a file of docs/screenshots each. */
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

/** Screens of the README, in the light scheme. */
export async function makeDocsPictures(portal) {
  const made = [];
  for (const { name, who, path, prepare } of docsPictures) {
    const page = await openPage(portal, { width: 1440, height: 900, scale: 1 });
    if (who) await signIn(page, who);
    await page.goto(path);
    await atRest(page);
    await prepare?.(page, portal.url);
    const file = join(docsFolder, `${name}.png`);
    writeSmallPng(await page.screenshot({ caret: "hide" }), file);
    made.push({ file, limitKb: 150 });
    await page.context().close();
  }
  return made;
}

/** A second machine asks for the place of the first one, by a code. */
async function enterUserCode(page, url) {
  const begun = await addinOn(url, "LAPTOP-ADA", "PLANNING\\ada")("device-authorization", { clientId: "addin" });
  await page.goto(begun.verification_uri_complete);
  await atRest(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Activate LAPTOP-ADA?" }).waitFor();
  await atRest(page);
}

/** The second machine is refused, and the history says what to do. */
async function explainRefusal(page, url) {
  const [{ id, licenceCode }] = await licencesOf(url, "ada");
  await addinOn(url, "LAPTOP-ADA", "PLANNING\\ada")("activate", { licenceCode });
  await page.goto(`/licence-history/${id}/`);
  await atRest(page);
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

/** One without names of people: letters of every script are not on every machine. */
async function previewReport(page) {
  const type = page.getByLabel("Report Type");
  const option = type.locator("option", { hasText: "Validations" }).first();
  await type.selectOption((await option.getAttribute("value")) ?? "");
  await page.getByRole("button", { name: "This financial year" }).click();
  await page.getByRole("slider").waitFor();
  await atRest(page);
}
