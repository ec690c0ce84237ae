/** Draws the logo and the preview picture for shared links. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brand } from "../../schema/brand.ts";
import { root } from "../../scripts/runtime.mjs";
import { openDrawn } from "./drawn-page.mjs";
import { writeSmallPng } from "./encode.mjs";

const publicFolder = join(root, "web", "public");

/** Creates the logo, the preview picture and the manifest. */
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
