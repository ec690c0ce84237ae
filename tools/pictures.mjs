/**
 * Takes pictures of the running product: `npm run pictures`.
 *
 * `screens` pictures every screen for people who look after its design, in `.cache/pictures`; `--only billing,invoice`
 * takes only the pages whose names have one of the words. The other parts write the committed files: `docs` and `site`
 * (screenshots), `brand` (icons) and `film`. Without a part, it takes the screens. Needs Chromium; the committed files
 * also need Debian's fonts-noto-cjk, and the film ffmpeg.
 */
import { statSync } from "node:fs";
import { relative } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../scripts/runtime.mjs";
import { createDocsPictures, createSitePictures, createBrandPictures } from "./pictures/committed.mjs";
import { findMissingTools } from "./pictures/encode.mjs";
import { createFilm } from "./pictures/film.mjs";
import { openPortal } from "./pictures/portal.mjs";
import { pictureScreens } from "./pictures/screens.mjs";

const parts = {
  screens: pictureScreens,
  docs: createDocsPictures,
  site: createSitePictures,
  brand: createBrandPictures,
  film: createFilm,
};
const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: "string" } } });
const chosen = positionals.length > 0 ? positionals : ["screens"];
const unknown = chosen.filter((name) => !(name in parts));
if (unknown.length > 0) fail(`Unknown part: ${unknown.join(", ")}. Parts: ${Object.keys(parts).join(", ")}.`);
const missing = chosen.includes("film") && findMissingTools();
if (missing) fail(missing);
const portal = await openPortal();
if ("missing" in portal) fail(portal.missing);
let faults = 0;
try {
  for (const name of chosen)
    for (const { file, limitKb, fault } of await parts[name](portal, options.only?.split(","))) {
      const kb = file ? statSync(file).size / 1_000 : 0;
      const said = fault ?? (kb > limitKb ? `is above ${limitKb} kB` : null);
      if (said) faults += 1;
      process.stdout.write(`${file ? `${kb.toFixed(1).padStart(7)} kB  ${relative(root, file)} ` : ""}${said ?? ""}\n`);
    }
} finally {
  await portal.close();
}
process.exit(faults > 0 ? 1 : 0);

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
