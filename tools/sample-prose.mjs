/**
 * Prints a random sample of the product's English for a reader to review: comments, test names, screen texts and paragraphs
 * of documents. The same seed draws the same sample from the same sources: `node tools/sample-prose.mjs SEED`.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { parseSync, Visitor } from "oxc-parser";

const SIZES = { comments: 200, "test names": 100, "screen texts": 60, paragraphs: 20 };
const TEST_CALLS = new Set(["describe", "it", "test"]);

const random = createRandom(Number(process.argv[2] ?? 1));
const files = execFileSync("git", ["ls-files"], { encoding: "utf8" }).trim().split("\n");
const found = { comments: [], "test names": [], "screen texts": [], paragraphs: [] };

for (const file of files.filter((name) => /\.(tsx?|mjs)$/.test(name) && !name.startsWith("web/generated/"))) {
  const text = readFileSync(file, "utf8");
  const { program, comments } = parseSync(file, text);
  for (const { value } of comments)
    if (!/^\s*(oxlint|biome|@|v8|#__)/.test(value)) add("comments", file, value.replace(/^\s*\*+ ?/gm, ""));
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      const name = callee.name ?? callee.object?.name ?? callee.callee?.object?.name;
      if (file.startsWith("tests/") && TEST_CALLS.has(name) && typeof first?.value === "string")
        add("test names", file, first.value);
    },
    JSXText: ({ value }) => addScreenText(file, value),
    Literal: ({ value }) => typeof value === "string" && addScreenText(file, value),
  }).visit(program);
}
for (const file of files.filter((name) => /^(docs\/.*|README|CONTRIBUTING|CHANGELOG)\.?.*\.md$/.test(name)))
  for (const paragraph of readFileSync(file, "utf8").split(/\n\s*\n/))
    if (/^[A-Z*[-]/.test(paragraph) && !paragraph.startsWith("---")) add("paragraphs", file, paragraph);

for (const [kind, size] of Object.entries(SIZES)) {
  process.stdout.write(`\n# ${size} of ${found[kind].length} ${kind}\n\n`);
  for (const { file, text } of draw(found[kind], size)) process.stdout.write(`${file}\n    ${text}\n`);
}

function add(kind, file, text) {
  const line = text.replace(/\s+/g, " ").trim();
  if (/[a-z]/.test(line)) found[kind].push({ file, text: line });
}

/** Keeps sentences and labels from pages and emails, and skips other strings, which are names in code. */
function addScreenText(file, text) {
  if (/^(web|api\/messaging)\//.test(file) && /^\s*[A-Z][a-z']+( .*[a-z]|\.)/s.test(text))
    add("screen texts", file, text);
}

/** Draws `size` entries at random without repetition. */
function draw(entries, size) {
  const rest = [...entries];
  return Array.from(
    { length: Math.min(size, rest.length) },
    () => rest.splice(Math.floor(random() * rest.length), 1)[0],
  );
}

/** Returns a generator of numbers from 0 to 1 (mulberry32), because Math.random doesn't accept a seed. */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
