/** Creates the pictures that are committed: screenshots for the README, the documents and the public site, and icons. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { writeFile } from "node:fs/promises";
import { startBrowserAddin } from "../../tests/support/browser-addin.ts";
import { brand } from "../../schema/brand.ts";
import { screens } from "../../web/site/screens/screens.ts";
import { root } from "../../scripts/runtime.mjs";
import { recordWords } from "./picture-words.mjs";
import { writeSmallPng, writeWebp } from "./encode.mjs";
import { openPage, sendAs, signIn, waitUntilIdle } from "./portal.mjs";
import { openDrawn } from "./drawn-page.mjs";

/** Largest size of a screenshot of the public site in kilobytes. */
const LIMIT_KB = 60;

/** Removes the built-in company's name and logo from a page, because BRAND_FILE can't replace those in a picture. */
const removeBrand = (page) =>
  page.evaluate((productName) => {
    for (const logo of document.querySelectorAll('img[src="/media/logo.png"]'))
      logo.parentElement.style.visibility = "hidden";
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replace(`${productName} `, "");
  }, brand.productName);

/** Takes the screenshot of My Account for the public site in light and dark. */
export async function createSitePictures(portal) {
  const created = [];
  const { width, height } = screens["my-account"];
  for (const scheme of ["light", "dark"]) {
    const page = await openPage(portal, { scheme });
    await signIn(page, "ada");
    await page.setViewportSize({ width: 1280, height: 760 });
    await page.goto("/my-account/");
    await waitUntilIdle(page);
    await removeBrand(page);
    const file = join(root, "web/public/media/screens", `my-account-${scheme}.webp`);
    await writeWebp(await page.screenshot({ clip: { x: 0, y: 0, width, height }, caret: "hide" }), file, LIMIT_KB);
    await recordWords(page, file);
    created.push({ file, limitKb: LIMIT_KB });
    await page.context().close();
  }
  return created;
}

const openMenu = (page, name) =>
  page
    .getByRole("button", { name: /^Actions for/ })
    .first()
    .click()
    .then(() => page.getByRole("menuitem", { name, exact: true }).click());

async function openDevices(page) {
  await openMenu(page, "Manage Activated Devices");
  await page.getByRole("heading", { level: 1, name: "Manage Activated Devices" }).waitFor();
}

/** Requests activation of a second machine with a user code. */
async function enterUserCode(page) {
  const { verification_uri_complete: link } = await startBrowserAddin(page, "LAPTOP-ADA", "").begin();
  await page.goto(link);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Activate LAPTOP-ADA?" }).waitFor();
}

/** Tries to activate a second machine, which is refused, and opens the licence history. */
async function explainRefusal(page, url) {
  const { me } = await sendAs(url, "ada", "{ me { licences { id licenceCode } } }");
  await startBrowserAddin(page, "LAPTOP-ADA", me.licences[0].licenceCode).callAddin("activate");
  await page.goto(`/licence-history/${me.licences[0].id}/`);
}

async function openLicences(page) {
  await openMenu(page, "Edit");
  await page.getByRole("tab", { name: "Licences" }).click();
  await page
    .getByRole("button", { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "Update" }).waitFor();
}

/** Previews a report without user names, because this machine may lack fonts for some writing systems. */
async function previewReport(page) {
  await page.getByLabel("Report Type").selectOption({ label: "Licence Validations / Activations" });
  await page.getByRole("button", { name: "This financial year" }).click();
  await page.getByRole("slider").waitFor();
}

/** Pictures for the README and the documents. Each is a file in docs/screenshots. */
const docsPictures = [
  { name: "home", path: "/" },
  { name: "register", path: "/register/" },
  { name: "my-account", who: "ada", path: "/my-account/" },
  { name: "devices", who: "ada", path: "/licences/", prepare: openDevices },
  { name: "subscribe", who: "new", path: "/manage-subscription/xer-professional-yearly/" },
  { name: "activate", who: "ada", path: "/my-account/", prepare: enterUserCode },
  { name: "licence-history", who: "ada", path: "/my-account/", prepare: explainRefusal },
  { name: "manage-users", who: "admin", path: "/admin/manage-users/" },
  { name: "update-user", who: "admin", path: "/admin/manage-users/?q=corporate%40demo.test", prepare: openLicences },
  { name: "dashboard", who: "admin", path: "/admin/dashboard/" },
  { name: "reports", who: "admin", path: "/admin/reports-page/", prepare: previewReport },
];

/** Takes the screenshots for the README and the documents in the light scheme. */
export async function createDocsPictures(portal, only) {
  const created = [];
  const chosen = docsPictures.filter(({ name }) => !only || only.some((word) => name.includes(word)));
  for (const { name, who, path, prepare } of chosen) {
    const page = await openPage(portal, { width: 1440, height: 900, scale: 1 });
    if (who) await signIn(page, who);
    await page.goto(path);
    await waitUntilIdle(page);
    await prepare?.(page, portal.url);
    // A menu closes when the focus leaves it.
    if (name !== "update-user") await waitUntilIdle(page);
    await pause(250);
    const file = join(root, "docs/screenshots", `${name}.png`);
    await writeSmallPng(await page.screenshot({ caret: "hide" }), file);
    await recordWords(page, file);
    created.push({ file, limitKb: 150 });
    await page.context().close();
  }
  return created;
}

const publicFolder = join(root, "web", "public");

/** Draws the logo and the preview picture of shared links, and writes the manifest. */
export async function createBrandPictures(portal) {
  const created = [];
  const shoot = async (name, look, file, limitKb) => {
    const page = await openDrawn(portal, name, look, { brand });
    await writeSmallPng(await page.screenshot(), file);
    await page.context().close();
    created.push({ file, limitKb });
  };
  await shoot("open-graph.html", { width: 1200, height: 630 }, join(publicFolder, "media", "open-graph.png"), 120);
  await shoot("logo.html", { width: 512, height: 512 }, join(publicFolder, "media", "logo.png"), 20);
  const manifest = join(publicFolder, "site.webmanifest");
  await writeFile(manifest, `${JSON.stringify(buildManifest(), null, 2)}\n`);
  return [...created, { file: manifest, limitKb: 2 }];
}

function buildManifest() {
  return {
    name: brand.name,
    short_name: brand.name,
    description: brand.tagline,
    lang: "en-AU",
    start_url: "/",
    display: "browser",
    background_color: "#0d1917",
    theme_color: "#0d1917",
    // Android crops icons, so the mark stays away from the edges.
    icons: [{ src: "/media/logo.png", sizes: "512x512", type: "image/png", purpose: "any maskable" }],
  };
}
