import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import GithubSlugger from "github-slugger";
import { expect, test } from "vitest";

const repository = join(import.meta.dirname, "../..");

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: repository, encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.(ts|tsx|mjs|md|graphql|css|yml)$/.test(file) && existsSync(join(repository, file)))
  .filter((file) => !file.startsWith("web/content/") && !file.includes("generated/"));

/** Anchors that GitHub gives the headings of a page, and those written as HTML. */
function anchorsOf(page: string): ReadonlySet<string> {
  const slugger = new GithubSlugger();
  const headings = [...page.matchAll(/^#{1,6} +(.+)$/gm)].map(([, title = ""]) => slugger.slug(title));
  return new Set([...headings, ...[...page.matchAll(/<a id="([^"]+)"/g)].map(([, id = ""]) => id)]);
}

const read = (file: string) => readFileSync(join(repository, file), "utf8");

/** What is wrong with the citations of one file, in sentences. */
function faultsOf(file: string, text: string): string[] {
  const faults: string[] = [];
  const follow = (page: string, anchor: string | undefined, cited: string) => {
    if (!existsSync(join(repository, page))) faults.push(`${file} cites ${cited}, which doesn't exist.`);
    else if (anchor && !anchorsOf(read(page)).has(anchor))
      faults.push(`${file} cites ${cited}, a heading that doesn't exist.`);
  };
  for (const [cited, page = "", anchor] of text.matchAll(/\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g))
    follow(page, anchor, cited);
  for (const [cited, number = ""] of text.matchAll(/\bdecisions? (\d{4})\b/g))
    if (!files.some((one) => one.startsWith(`docs/decisions/${number}-`)))
      faults.push(`${file} cites ${cited}, which doesn't exist.`);
  if (file.endsWith(".md"))
    for (const [cited, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:|^\/\//.test(target)) continue;
      const [path = "", anchor] = target.split("#");
      follow(path === "" ? file : normalize(join(dirname(file), path)), anchor, cited);
    }
  const elsewhere =
    /\b(?:DOMAIN|QUALITY|THREATS|SCREENS|RUNNING|DESIGN|STACK|ANCHORS|VOICE)(?: §|\.md)|\bspec,? (?:§|public|admin)/;
  const missing = elsewhere.exec(text);
  if (missing) faults.push(`${file} cites ${missing[0]}, a document that is not in the repository.`);
  return faults;
}

test("every citation leads to a file and a heading that exist", () => {
  expect(files.length).toBeGreaterThan(2_000);
  const self = "tests/tooling/citations.unit.test.ts";
  expect(files.filter((file) => file !== self).flatMap((file) => faultsOf(file, read(file)))).toEqual([]);
});

test.each([
  ["a.ts", "/** Never twice (docs/domain.md#no-such-rule). */", "a heading that doesn't exist"],
  ["a.ts", "/** Never twice (docs/no-such-page.md). */", "which doesn't exist"],
  ["a.ts", "// As decision 9999 says.", "decision 9999"],
  ["docs/a.md", "See [the rules](domain.md#no-such-rule).", "a heading that doesn't exist"],
  ["a.ts", "/** Five a minute (QUALITY §3). */", "not in the repository"],
  ["a.ts", "/** The login (spec, public §2). */", "not in the repository"],
])("finds the missing target in %s: %s", (file, text, fault) => {
  expect(faultsOf(file, text).join()).toContain(fault);
});

test("accepts citations that lead somewhere", () => {
  const text = "/** Once per person (docs/domain.md#trials, decision 0053). */";
  expect(faultsOf("a.ts", text)).toEqual([]);
});
