/**
 * Says whether a committed screenshot is older than the screen it shows: `npm run check`. When a screenshot is taken,
 * the words on it that the sources contain are recorded. If the sources no longer contain one, the screenshot shows what the
 * product no longer says. Comparing pixels would need a browser and the same fonts.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../../scripts/runtime.mjs";

const record = join(root, "docs/screenshots/words.json");
const folders = ["docs/screenshots", "web/public/media/screens"];

/** Returns the text of the sources that the words on screens come from, without white space at the ends of lines. */
function readSources() {
  const files = ["web", "schema"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|md)$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  return files.map((file) => readFileSync(file, "utf8").replaceAll(/\s+/g, " ")).join("\n");
}

const isWord = (line) => /[a-z]{3}/i.test(line) && !/\d/.test(line);

/** Records the words that a page shows in the window, and that the sources contain, for a screenshot of it. */
export async function recordWords(page, file) {
  const sources = readSources();
  const lines = await page.evaluate(() =>
    [...document.querySelectorAll("h1, h2, h3, th, label, a, button, [role=menuitem], [role=tab]")]
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().top < window.innerHeight)
      .map((one) => one.innerText.trim().replaceAll(/\s+/g, " ")),
  );
  const words = [...new Set(lines)].filter((line) => isWord(line) && sources.includes(line));
  const recorded = JSON.parse(readFileSync(record, "utf8"));
  const all = { ...recorded, [relative(root, file)]: words };
  const sorted = Object.fromEntries(Object.entries(all).toSorted(([one], [other]) => one.localeCompare(other)));
  writeFileSync(record, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** Lists the screenshots that show words which the sources no longer contain, or whose words were never recorded. */
function listOldPictures() {
  const sources = readSources();
  const recorded = JSON.parse(readFileSync(record, "utf8"));
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((file) => /\.(png|webp)$/.test(file))
      .map((file) => `${folder}/${file}`),
  );
  const stale = Object.entries(recorded).flatMap(([file, words]) => {
    if (!files.includes(file)) return [`${file} is recorded in docs/screenshots/words.json, but doesn't exist.`];
    const gone = words.filter((word) => !sources.includes(word));
    return gone.length > 0
      ? [`${file} shows ${gone.map((word) => `“${word}”`).join(", ")}, which the sources no longer contain.`]
      : [];
  });
  return [...stale, ...files.filter((file) => !(file in recorded)).map((file) => `${file} has no recorded words.`)];
}

if (process.argv[1] === import.meta.filename) {
  const old = listOldPictures();
  for (const sentence of old) process.stderr.write(`${sentence}\n`);
  process.exit(old.length > 0 ? 1 : 0);
}
