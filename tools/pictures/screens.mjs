/**
 * Pictures every screen: each row of `web/app/pages.tsx` and each tab, wide and narrow, light and dark, and in each of
 * four states. A new page needs no declaration: its address comes from the table, and the values in it from links on
 * pages and in emails. Its dialogs are found by pressing its buttons while the server refuses changes.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pages } from "../../web/app/pages.tsx";
import { fillBrand } from "../../web/platform/paths.ts";
import { root } from "../../scripts/runtime.mjs";
import { openDialogs, openMenus, refuseRequest } from "./dialogs.mjs";
import { writeLongestValues } from "./longest-values.mjs";
import { openPage, sendAs, signIn, waitUntilIdle } from "./portal.mjs";

const folder = join(root, ".cache", "pictures");
const widths = [1440, 390];
const schemes = ["light", "dark"];
/** Tallest picture. What is below is more of the same. */
const MAX_HEIGHT = 4_000;
/** Staff search lists for it in the state `empty`. */
const UNKNOWN_WORD = "nothing-is-called-this";
/** What is shown while content loads. Bars with a value, such as conversions left, stay. */
const LOADING = "progress:not([value]), [role=progressbar]:not([aria-valuenow])";
/** Demo accounts that open a page, by who may: the first one that has a link to it. */
const visitors = [null];
const customers = ["ada", "corporate", "trial"];
const accountsByAccess = { everyone: visitors, visitors, admins: ["admin"], staff: ["admin"], default: customers };
const accountsOf = (page) => accountsByAccess[page.access] ?? accountsByAccess.default;

/** Lists what to picture: pages and their tabs, with patterns of addresses. */
function listTargets(only) {
  return Object.entries(pages)
    .filter(
      ([name, page]) =>
        !page.isOtherBuild && (!only || only.some((word) => name.toLowerCase().includes(word.toLowerCase()))),
    )
    .flatMap(([name, page]) => {
      const target = { name, access: page.access, pattern: fillBrand(page.path), tab: "" };
      const tabs = Object.keys(page.tabs ?? {}).slice(1);
      return [target, ...tabs.map((tab) => ({ ...target, name: `${name}.${tab}`, tab }))];
    });
}

/** Takes all pictures and writes an index page of them. */
export async function pictureScreens(portal, only) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await createLinks(portal);
  const targets = listTargets(only);
  const album = { taken: [], dialogs: new Set(), links: new Map(), faults: new Set(), portal };
  album.links.set(null, new Set([...(await listEmailedLinks(portal)), ...(await listHiddenLinks(portal))]));
  const everyone = [null, ...customers, "admin"];
  // Every account is needed to follow links to the pages that have values in their address.
  for (const account of everyone) {
    const own = targets.filter((target) => accountsOf(target).includes(account));
    if (own.length > 0) await pictureAccount(album, account, own);
  }
  const fresh = targets.filter((target) => accountsOf(target) === customers);
  if (fresh.length > 0) await pictureAccount(album, "new", fresh, "empty");
  const longest = await writeLongestValues(portal);
  for (const account of ["ada", "admin"]) {
    const own = targets.filter((target) => accountsOf(target).includes(account));
    album.links.set(account, new Set([...longest, ...(album.links.get(account) ?? [])]));
    if (own.length > 0) await pictureAccount(album, account, own, "long");
  }
  writeIndex(album.taken);
  const found = new Set(album.taken.map(({ name }) => name));
  const unseen = targets.filter(({ name }) => !found.has(name));
  return [
    { file: join(folder, "index.html"), limitKb: 2_000 },
    ...unseen.map(({ name, pattern }) => ({ fault: `${name}: no link leads to ${pattern}` })),
    ...[...album.faults].map((fault) => ({ fault })),
  ];
}

/** Pictures the pages of an account in its state, those without values in their address first. */
async function pictureAccount(album, account, targets, state = "loaded") {
  const page = await openPage(album.portal, { width: widths[0], height: 900, scale: 1 });
  page.setDefaultTimeout(60_000);
  const asked = watchRequests(page);
  // A part of a page that fails shows a message in its place.
  page.on("console", (message) => {
    const isFault = message.type() === "error" && !message.text().startsWith("Failed to load resource");
    if (isFault) album.faults.add(`${new URL(page.url()).pathname}: ${message.text().split("\n")[0]}`);
  });
  const links = album.links.get(account) ?? new Set(album.links.get(null));
  album.links.set(account, links);
  if (account) await signIn(page, account);
  // What every page of the account requests isn't refused, because the frame would be all there is to see.
  asked.clear();
  if (account) await open(page, "/contact-us/");
  const frame = new Set(asked);
  const addLinks = async () => {
    const found = await page.locator("a[href^='/']").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    for (const link of found) links.add(link);
  };
  const waitingFor = (target) => state !== "loaded" || !album.taken.some(({ name }) => name === target.name);
  let waiting = targets.filter(waitingFor);
  // Pages with values in their address are found from rows and their menus.
  if (account && waiting.some(({ pattern }) => pattern.includes(":")))
    for (const path of account === "admin"
      ? ["/admin/", "/admin/manage-users/?q=ada%40demo.test"]
      : ["/licences/", "/webhooks/"]) {
      await open(page, path);
      await openMenus(page, addLinks);
    }
  const pictureTarget = async (target, path) => {
    const reopen = () => open(page, path, target.tab);
    asked.clear();
    await reopen();
    await addLinks();
    const hasSearch = account === "admin" && (await page.getByLabel("Search", { exact: true }).count()) > 0;
    const requests = [...asked].filter((name) => !frame.has(name));
    const look = (name, shown = state) => shoot(album, page, name, shown);
    await look(target.name);
    // Dialogs are pictured once, so the longest values only need those of pages.
    if (account && state === "loaded")
      await openDialogs(album.dialogs, page, { look, addLinks, name: target.name, reopen });
    if (state !== "loaded" || !account) return;
    if (requests.length > 0) {
      const refuse = (route) => (frame.has(nameRequest(route.request())) ? route.fallback() : refuseRequest(route));
      await page.route("**/graphql", refuse);
      await reopen();
      await look(target.name, "error");
      await page.unroute("**/graphql", refuse);
    }
    if (hasSearch) {
      await open(page, `${path}?q=${UNKNOWN_WORD}`, target.tab);
      await look(target.name, "empty");
    }
  };
  for (let before = -1; before !== waiting.length; ) {
    before = waiting.length;
    const later = [];
    for (const target of waiting) {
      const path = findPath(target, links);
      if (!path) {
        later.push(target);
        continue;
      }
      const startedAt = Date.now();
      await pictureTarget(target, path);
      const seconds = String(Math.round((Date.now() - startedAt) / 1_000)).padStart(4);
      process.stdout.write(`${seconds} s  ${target.name} (${account ?? "visitor"}, ${state})\n`);
    }
    waiting = later;
  }
  await page.context().close();
}

const fixedPaths = new Set(Object.values(pages).map(({ path }) => fillBrand(path)));

/** Returns the address of a page, with values from a link if its pattern needs some; null if there is no such link. */
function findPath({ pattern }, links) {
  const shape = new RegExp(`^${pattern.replaceAll(/:\w+/g, "[^/?]+")}/?(?:[?#]|$)`);
  // The address of another page, such as `/admin/bulk-work/new/`, may look like a value.
  const isOwn = (one) => (pattern.includes(":") ? !fixedPaths.has(one.split(/[?#]/)[0]) : one.includes("?t="));
  const link = [...links].find((one) => shape.test(one) && isOwn(one));
  return link?.split("#")[0] ?? (pattern.includes(":") ? null : pattern);
}

async function open(page, path, tab = "") {
  await page.goto(tab ? `${path.split("?")[0]}?tab=${tab}` : path);
  await waitUntilIdle(page).catch(() => undefined);
  await page
    .locator(LOADING)
    .first()
    .waitFor({ state: "hidden", timeout: 10_000 })
    .catch(() => undefined);
}

/** Pictures what the page shows in both widths and schemes. */
async function shoot(album, page, name, state) {
  // Draws content below the screen that the browser would leave out, but not what is below the picture.
  const style = await page.addStyleTag({
    content: `[data-undrawn] { content-visibility: visible !important }
      body { max-height: ${MAX_HEIGHT}px; overflow: clip }`,
  });
  for (const width of widths) {
    for (const scheme of schemes) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await pause(150);
      const file = `${name}.${state}.${width}.${scheme}.png`.replaceAll(/[^\w.-]+/g, "-");
      const height = Math.min(MAX_HEIGHT, await page.evaluate(() => document.documentElement.scrollHeight));
      const isDialog = name.includes("+");
      const clip = { x: 0, y: 0, width, height: isDialog ? 900 : Math.max(height, 900) };
      await page.screenshot({ path: join(folder, file), clip, fullPage: !isDialog, caret: "hide", timeout: 120_000 });
      album.taken.push({ name, state, width, scheme, file });
    }
  }
  await style.evaluate((one) => one.remove());
  await page.setViewportSize({ width: widths[0], height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
}

const nameRequest = (request) => request.postDataJSON()?.operationName ?? "";

function watchRequests(page) {
  const asked = new Set();
  page.on("request", (request) => request.url().endsWith("/graphql") && asked.add(nameRequest(request)));
  return asked;
}

/** Creates what only emails link to, and a run of bulk work. */
async function createLinks({ url }) {
  await sendAs(url, "admin", "mutation ($input: BulkFilterRunInput!) { openBulkRun(input: $input) { id } }", {
    input: { kind: "EXTEND_LICENCES", addDays: 30, onlyTrials: true },
  });
  const query = "mutation ($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { __typename } }";
  const body = JSON.stringify({ query, variables: { input: { email: "new@demo.test" } } });
  await fetch(`${url}/graphql`, { method: "POST", headers: { "content-type": "application/json" }, body });
}

async function listEmailedLinks({ url }) {
  const emails = await (await fetch(`${url}/dev/mail.json`)).json();
  const texts = emails.map(({ text }) => text).join("\n");
  return new Set([...texts.matchAll(/https?:\/\/[^/\s]+(\/[^\s)>]*)/g)].map(([, path]) => path));
}

/** Returns addresses that no page links to: where an unconfirmed user lands, a link for other sites, and links of rare emails. */
async function listHiddenLinks(portal) {
  const page = await openPage(portal, {});
  await signIn(page, "unconfirmed");
  const { pathname } = new URL(page.url());
  await page.context().close();
  const rare = [pages.notMe, pages.undoEmailChange].map(({ path }) => `${path}?t=A-token-1`);
  return [pathname, fillBrand("/product/subscribe/{segment}-professional/"), ...rare];
}

function writeIndex(taken) {
  const names = [...new Set(taken.map(({ name, state }) => `${name} (${state})`))];
  const rows = names.map((name) => {
    const own = taken.filter((one) => `${one.name} (${one.state})` === name);
    const pictures = own.map(({ file }) => `<a href="${file}"><img loading="lazy" height="480" src="${file}"></a>`);
    return `<h2>${name}</h2>${pictures.join("\n")}`;
  });
  writeFileSync(join(folder, "index.html"), `<!doctype html><title>Pictures</title>\n${rows.join("\n")}\n`);
}
