/** Creates the requested parts and prints the size of each file. */
import { statSync } from "node:fs";
import { relative } from "node:path";
import { root } from "../../scripts/runtime.mjs";
import { createBrandPictures } from "./brand-pictures.mjs";
import { findMissingTools } from "./encode.mjs";
import { createFilm } from "./film.mjs";
import { openPortal } from "./portal.mjs";
import { createDocsPictures, createScreens } from "./screens.mjs";

const parts = { screens: createScreens, brand: createBrandPictures, film: createFilm, docs: createDocsPictures };

/**
 * Creates parts of the media.
 * @param {string[]} requested names of parts; none means all
 * @returns {Promise<number>} the exit code: 1 if a program is missing or a file is too large, else 0
 */
export async function createMedia(requested) {
  const unknown = requested.filter((name) => !(name in parts));
  if (unknown.length > 0) return fail(`Unknown part: ${unknown.join(", ")}. Parts: ${Object.keys(parts).join(", ")}.`);
  const missing = findMissingTools();
  if (missing) return fail(missing);
  const opened = await openPortal();
  if ("missing" in opened) return fail(opened.missing);
  let heavy = 0;
  try {
    for (const name of requested.length > 0 ? requested : Object.keys(parts))
      for (const { file, limitKb } of await parts[name](opened)) {
        const kb = statSync(file).size / 1_000;
        if (kb > limitKb) heavy += 1;
        const verdict = kb > limitKb ? ` is above ${limitKb} kB` : "";
        process.stdout.write(`${kb.toFixed(1).padStart(7)} kB  ${relative(root, file)}${verdict}\n`);
      }
  } finally {
    await opened.close();
  }
  return heavy > 0 ? 1 : 0;
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  return 1;
}
