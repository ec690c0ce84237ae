/** Opens a page of tools/pictures/drawn with the site's palette and fonts, without a server. */
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { root } from "../../scripts/runtime.mjs";
import { openPage } from "./portal.mjs";

const ORIGIN = "http://drawn.invalid";
const types = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
};

/**
 * Opens a drawn page and waits until it is ready.
 * @param {string} name file in tools/pictures/drawn
 * @param {{ width: number, height: number, scale?: number, scheme?: "light" | "dark" }} look
 * @param {unknown} data available to the page as `window.drawn`
 * @param {Record<string, Buffer>} pictures PNG files by name, served under `/pictures/`
 */
export async function openDrawn(portal, name, look, data, pictures = {}) {
  const page = await openPage(portal, { scale: 1, ...look });
  page.on("pageerror", (error) => process.stderr.write(`${name}: ${error.stack}\n`));
  await page.route(`${ORIGIN}/**`, async (route) => {
    const path = normalize(new URL(route.request().url()).pathname);
    if (path.startsWith("/pictures/"))
      return route.fulfill({ contentType: "image/png", body: pictures[path.slice("/pictures/".length)] });
    const body = await readFile(join(root, path)).catch(() => null);
    if (!body) return route.fulfill({ status: 404, body: path });
    const isSheet = path.endsWith(".css");
    // Style sheets refer to fonts by package name for Vite; here they need paths.
    const sent = isSheet ? body.toString().replaceAll('url("@', 'url("/node_modules/@') : body;
    return route.fulfill({ contentType: types[extname(path)] ?? "application/octet-stream", body: sent });
  });
  await page.addInitScript((given) => {
    window.drawn = given;
  }, data);
  await page.goto(`${ORIGIN}/tools/pictures/drawn/${name}`);
  await page.evaluate(() => document.fonts.load('600 20px "Hanken Grotesk Variable"'));
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(() => window.ready);
  return page;
}
