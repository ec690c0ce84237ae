import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { slug } from "github-slugger";
import { expect, test } from "vitest";

const repository = join(import.meta.dirname, "../..");
const folders = ["api", "web", "schema", "tests", "scripts", "tools", "docs", "clients"];
const isText = /\.(ts|tsx|mjs|cjs|js|css|md|graphql|html|yml|json|sh)$|(^|\/)(Dockerfile|\.env\.example)$/;
// Skips packages, generated files and this file, which has bad samples.
const isSkipped =
  /(^|\/)node_modules\/|^(web\/generated|schema\/released|tests\/app\/golden)\/|^package-lock\.json$|citations\.unit\.test\.ts$/;

/** Patterns that cite documents outside the repository. Public standards are cited as `RFC 9110 §14.2`. */
const foreign: readonly (readonly [string, RegExp])[] = [
  ["a section of a document that is not here", /(?<!RFC \d{4},? )§/],
  [
    "a document that is not here",
    /\b(DOMAIN|SCREENS|QUALITY|THREATS|RUNNING|STACK|ANCHORS|DESIGN|VOICE)(\.md\b| §| \d)/,
  ],
  ["a document that is not here", /\((?:[^()]*[,;] )?(?:DOMAIN|SCREENS|QUALITY|THREATS|RUNNING|STACK|ANCHORS)[,;)]/],
  ["a specification that is not here", /\bspec(?:ification)?[ ,(]+(?:public|admin|page \d|section \d)|`spec\/`/i],
  ["a specification that is not here", /(?<!receiver's |client's )\b(?:of|in|by|as|from) the spec(?:ification)?\b/i],
  ["a folder outside the repository", /\.\.\/shared\b|\/work\/(?!tree)/],
  ["an issue, which readers cannot open", /\bissue (?:#|no\. ?)?\d+\b/i],
];

/** Returns a message for each citation in `files` (path → text) without a target. */
function findCitationFaults(files: ReadonlyMap<string, string>, exists: (file: string) => boolean): string[] {
  const anchors = new Map(
    [...files].filter(([file]) => file.endsWith(".md")).map(([file, text]) => [file, findAnchors(text)]),
  );
  const missing = (target: string, anchor: string | undefined): string | null => {
    if (!exists(target)) return `${target} does not exist`;
    if (anchor && !anchors.get(target)?.has(anchor)) return `${target} has no anchor ${anchor}`;
    return null;
  };
  return [...files].flatMap(([file, text]) => {
    const prose = text.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, " ");
    const faults: (string | null)[] = foreign.map(([what, pattern]) => {
      const cited = pattern.exec(prose);
      return cited && `cites ${what}: ${prose.slice(Math.max(0, cited.index - 20), cited.index + 40).trim()}`;
    });
    for (const [, target = "", , anchor] of prose.matchAll(/(?<![\w/.])(docs\/[\w./-]+?\.md)(#([\w-]+))?/g))
      faults.push(missing(target, anchor));
    for (const [, numbers = ""] of prose.matchAll(/\bdecisions? (\d{4}(?:(?:, | and |, and )\d{4})*)/gi))
      for (const number of numbers.match(/\d{4}/g) ?? [])
        if (!isDecision(files, number)) faults.push(`decision ${number} does not exist`);
    // Release notes and site content mention files that are gone or elsewhere.
    if (file.endsWith(".md") && file !== "CHANGELOG.md" && !file.startsWith("web/site/content/")) {
      for (const [, path = ""] of text.matchAll(/`((?:api|web|schema|tests|scripts|tools|docs)\/[\w./-]+)`/g))
        faults.push(isPath(files, exists, path) ? null : `${path} does not exist`);
      for (const [, link = ""] of text.matchAll(/\]\((?!\w+:|\/)([^)\s]+)\)/g)) {
        const [path = "", anchor] = link.split("#");
        faults.push(missing(path === "" ? file : posix.join(posix.dirname(file), path), anchor));
      }
    }
    return faults.filter((fault) => fault !== null).map((fault) => `${file}: ${fault}`);
  });
}

const isDecision = (files: ReadonlyMap<string, string>, number: string) =>
  [...files.keys()].some((file) => file.startsWith(`docs/decisions/${number}-`));

/** Returns whether a path is a file, a folder, or a file without its extensions, which is how docs cite tests. */
const isPath = (files: ReadonlyMap<string, string>, exists: (file: string) => boolean, path: string) =>
  exists(path) || [...files.keys()].some((file) => file.startsWith(`${path}.`));

/** Returns the anchors of a Markdown text: explicit ones and the slugs of headings. */
function findAnchors(text: string): Set<string> {
  const explicit = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id);
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = ""]) => slug(title));
  return new Set([...explicit, ...headings]);
}

function readRepository(): Map<string, string> {
  const inside = folders
    .filter((folder) => existsSync(join(repository, folder)))
    .flatMap((folder) =>
      readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" }).map((name) =>
        posix.join(folder, name),
      ),
    );
  const files = [...readdirSync(repository), ...inside].filter((file) => isText.test(file) && !isSkipped.test(file));
  return new Map(files.map((file) => [file, readFileSync(join(repository, file), "utf8")]));
}

test("defines each anchor of a document once", () => {
  const twice = [...readRepository()].flatMap(([file, text]) => {
    const ids = file.endsWith(".md") ? [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id) : [];
    return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${file}#${id}`);
  });
  expect(twice).toEqual([]);
});

test("finds the target of every citation in the repository", () => {
  const files = readRepository();
  expect(files.size).toBeGreaterThan(1_000);
  expect(findCitationFaults(files, (file) => existsSync(join(repository, file)))).toEqual([]);
});

const sample = new Map([
  ["docs/domain.md", '# Domain rules\n\n- <a id="one-trial"></a>**One trial.**\n\n## What it is\n'],
  ["docs/decisions/0001-one-class.md", "# 0001\n"],
]);
const existing = (file: string) => sample.has(file);
const faultsIn = (file: string, text: string) =>
  findCitationFaults(new Map([...sample, [file, text]]), (path) => existing(path) || path === file);

test.each([
  ["a missing document", "// See docs/gone.md.", "docs/gone.md does not exist"],
  ["a missing anchor", "// See docs/domain.md#two-trials.", "docs/domain.md has no anchor two-trials"],
  ["a missing decision", "/** Retries twice (decision 0099). */", "decision 0099 does not exist"],
  ["one missing decision among others", "// decisions 0001 and 0099", "decision 0099 does not exist"],
  ["a citation that breaks across lines", "/**\n * Retries (decision\n * 0099).\n */", "decision 0099 does not exist"],
  ["an outside document", "// Lasts 3 days (DOMAIN §3).", "section of a document"],
  ["an outside document without a section", "// The accounts promised (RUNNING).", "document that is not here"],
  ["a page of the specification", "// Shows the menu (spec, public §2).", "section of a document"],
  ["the specification", "// The columns of the specification.", "specification that is not here"],
  ["an outside folder", "// See ../shared/notes.", "folder outside"],
  ["an issue", "// At most 20 rows (issue 6).", "issue"],
])("reports %s", (_, text, fault) => {
  expect(faultsIn("api/sample.ts", text).join("\n")).toContain(fault);
});

test.each([
  ["to a missing file", "[gone](gone.md)"],
  ["to a missing heading", "[What](domain.md#what-it-was)"],
  ["to a missing anchor in the same page", "[What](#nowhere)"],
  ["to a moved file, in backticks", "`api/gone/gone.ts` does it."],
])("reports a link %s in Markdown", (_, text) => {
  expect(faultsIn("docs/sample.md", text)).toHaveLength(1);
});

test.each([
  "// One trial each (docs/domain.md#one-trial, decision 0001).",
  "// As RFC 9110 §14.2 says, and RFC 8628, §3.5.",
  "// Follows the multipart request specification.",
])("accepts %s", (text) => {
  expect(faultsIn("api/sample.ts", text)).toEqual([]);
});

test("accepts links to files, headings and other sites in Markdown", () => {
  const text = "[a](domain.md) [b](domain.md#what-it-is) [c](https://example.test/#x) [d](#mine)\n\n## Mine\n";
  expect(faultsIn("docs/sample.md", text)).toEqual([]);
});
