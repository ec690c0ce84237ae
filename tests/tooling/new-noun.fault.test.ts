import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { beforeAll, expect, test } from "vitest";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const repository = join(import.meta.dirname, "../..");
const copy = createTemporaryFolder("new-noun-");
const modules = join(repository, "node_modules");

/** Runs Node in the copy and returns its exit code and output. */
function node(...args: string[]): { code: number; output: string } {
  try {
    const output = execFileSync(process.execPath, args, {
      cwd: copy,
      encoding: "utf8",
      stdio: "pipe",
      env: { ...process.env, CI: undefined, VITEST: undefined, VITEST_JSON: undefined, NODE_OPTIONS: undefined },
    });
    return { code: 0, output };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { code: status, output: stdout + stderr };
  }
}

const create = (...args: string[]) =>
  node("scripts/new/node_modules/plop/bin/plop.js", "--plopfile", "scripts/new/plopfile.mjs", "noun", ...args);

beforeAll(() => {
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], {
    cwd: repository,
    encoding: "utf8",
  });
  for (const file of files.split("\0").filter(Boolean)) cpSync(join(repository, file), join(copy, file));
  const built = "api/people/addresses/australian-localities.json";
  cpSync(join(repository, built), join(copy, built));
  execFileSync("git", ["init", "--quiet"], { cwd: copy });
  execFileSync("git", ["add", "--all"], { cwd: copy });
  for (const folder of ["", "scripts/new"])
    symlinkSync(join(repository, folder, "node_modules"), join(copy, folder, "node_modules"));
}, 60_000);

test.each([
  [["staff", "Seat Note"], "Name the noun in lower case with hyphens"],
  [["staff", "seat-notes"], "Use the singular: seat-note."],
  [["people", "seat-note"], 'did not recognize "people"'],
  [["staff", "contact"], "api/staff/contacts/ exists. Choose another name."],
])("rejects %j", (args, sentence) => {
  const { code, output } = create(...args);
  expect(code).not.toBe(0);
  expect(output).toContain(sentence);
});

test("writes a noun that passes the checks and its own tests without edits", () => {
  expect(create("staff", "seat-note").output).not.toMatch(/error|✖/i);
  expect(readFileSync(join(copy, "schema/schema.graphql"), "utf8")).toContain("addSeatNote(");
  const steps = ["generated files", "unused code", "types", "areas"];
  expect(node("scripts/check.mjs", ...steps).output).toContain("4 of 4 checks passed");
  // `npm run check` has linted the other files and checked their format.
  const changed = execFileSync("git", ["ls-files", "-mo", "--exclude-standard", "*.ts", "*.tsx"], { cwd: copy });
  const files = changed.toString().trim().split("\n");
  expect(files.length).toBeGreaterThan(5);
  const lint = node(join(modules, "oxlint/bin/oxlint"), "--type-aware", "--deny-warnings", ...files);
  expect(`${lint.code} ${lint.output}`).toMatch(/^0 /);
  const format = node(join(modules, "@biomejs/biome/bin/biome"), "format", "--colors=off", ...files);
  expect(`${format.code} ${format.output}`).toMatch(/^0 /);
  const own = ["tests/staff/seat-notes", "tests/app/permissions/foreign-and-missing", "tests/app/fields"];
  const { code, output } = node(join(modules, "vitest/vitest.mjs"), "run", ...own);
  expect(`${code} ${output}`).toMatch(/^0 /);
});
