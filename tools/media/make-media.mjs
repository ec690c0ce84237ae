/** Makes the parts that were asked for and prints what each file weighs. */
import { statSync } from "node:fs";
import { relative } from "node:path";
import { root } from "../../scripts/runtime.mjs";
import { makeBrandPictures } from "./brand-pictures.mjs";
import { missingTools } from "./encode.mjs";
import { makeFilm } from "./film.mjs";
import { openPortal } from "./portal.mjs";
import { makeDocsPictures, makeScreens } from "./screens.mjs";

const parts = { screens: makeScreens, brand: makeBrandPictures, film: makeFilm, docs: makeDocsPictures };

/**
 * @param {string[]} asked names of parts; none means all
 * @returns {Promise<number>} the exit code: 0, or 1 when something is missing or weighs more than it may
 */
export async function makeMedia(asked) {
  const unknown = asked.filter((name) => !(name in parts));
  if (unknown.length > 0)
    return complain(`There is no part ${unknown.join(", ")}; ${Object.keys(parts).join(", ")} are.`);
  const missing = missingTools();
  if (missing) return complain(missing);
  const opened = await openPortal();
  if ("missing" in opened) return complain(opened.missing);
  let heavy = 0;
  try {
    for (const name of asked.length > 0 ? asked : Object.keys(parts))
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

function complain(sentence) {
  process.stderr.write(`${sentence}\n`);
  return 1;
}
