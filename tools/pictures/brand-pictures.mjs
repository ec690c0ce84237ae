/** Draws the preview picture for shared links and the icons for phones. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brand } from "../../schema/brand.ts";
import { root } from "../../scripts/runtime.mjs";
import { openDrawn } from "./drawn-page.mjs";
import { writeSmallPng } from "./encode.mjs";

const publicFolder = join(root, "web", "public");

/** Icon files and their sizes. Android crops icons, so the mark stays away from the edges. */
const icons = [
  { size: 180, file: "apple-touch-icon.png" },
  { size: 192, file: join("media", "icon-192.png") },
  { size: 512, file: join("media", "icon-512.png") },
];

/** Creates the brand pictures from `schema/brand.ts`. */
export async function createBrandPictures(portal) {
  const created = [];
  const shoot = async (name, look, file, limitKb) => {
    const page = await openDrawn(portal, name, look, { brand });
    await writeSmallPng(await page.screenshot(), file);
    await page.context().close();
    created.push({ file, limitKb });
  };
  await shoot("open-graph.html", { width: 1200, height: 630 }, join(publicFolder, "media", "open-graph.png"), 120);
  for (const { size, file } of icons)
    await shoot("icon.html", { width: size, height: size }, join(publicFolder, file), 20);
  const manifest = join(publicFolder, "site.webmanifest");
  await writeFile(manifest, `${JSON.stringify(buildManifest(), null, 2)}\n`);
  return [...created, { file: manifest, limitKb: 2 }];
}

function buildManifest() {
  const png = (size) => ({
    src: `/media/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: "image/png",
    purpose: "any maskable",
  });
  return {
    name: brand.name,
    short_name: brand.name,
    description: brand.tagline,
    lang: "en-AU",
    start_url: "/",
    display: "browser",
    background_color: "#0d1917",
    theme_color: "#0d1917",
    icons: [{ src: "/favicon.svg", sizes: "any", type: "image/svg+xml" }, png(192), png(512)],
  };
}
