import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import { pageAccess } from "#web/app/page-access.ts";
import { pages as table } from "#web/app/pages.tsx";

interface Page {
  name: string;
  bar: number;
  files: string[];
}
interface Chunk {
  imports: string[];
  sources: string[];
  kb: number;
  isEntry?: boolean;
}

const repository = join(import.meta.dirname, "../..");
const { resolveImport } = (await import(join(repository, "scripts/lint/house-rules.mjs"))) as {
  resolveImport: (specifier: string, file: string, root: string) => { file?: string; package?: string };
};
const { targets } = (await import(join(repository, "scripts/build.mjs"))) as {
  targets: { name: string; sources: string[] }[];
};
const { findPages, weighPages } = (await import(join(repository, "scripts/check-weights.mjs"))) as {
  findPages: (pages: typeof table) => Page[];
  weighPages: (chunks: Map<string, Chunk>, pages: Page[]) => { name: string; kb: number; isTooHeavy: boolean }[];
};

test("gives every page a limit: 380 kB for signed-in users, 155 kB with a form, 140 kB of the site", () => {
  const pages = findPages(table);
  expect(pages).toHaveLength(Object.values(table).filter(({ load }) => load).length);
  const findBar = (name: string) => pages.find((page) => page.name === name)?.bar;
  expect([findBar("manageUsers"), findBar("updateProfile")]).toEqual([380, 380]);
  expect([findBar("home"), findBar("resetPassword")]).toEqual([140, 155]);
});

test("counts each imported file once and reports a page above its limit", () => {
  const chunks = new Map<string, Chunk>([
    ["index.js", { imports: ["react.js"], sources: ["/r/web/app/main.tsx"], kb: 20, isEntry: true }],
    ["react.js", { imports: [], sources: [], kb: 80 }],
    ["page.js", { imports: ["react.js", "list.js"], sources: ["/r/web/staff/admin/admin-page.tsx"], kb: 5 }],
    ["list.js", { imports: ["react.js"], sources: [], kb: 10 }],
    ["dialog.js", { imports: [], sources: ["/r/web/ui/dialog-modal.tsx"], kb: 30 }],
  ]);
  const files = ["web/staff/admin/admin-page.tsx"];
  expect(weighPages(chunks, [{ name: "admin", bar: 115, files }])).toEqual([
    { name: "admin", kb: 115, bar: 115, isTooHeavy: false },
  ]);
  expect(weighPages(chunks, [{ name: "admin", bar: 114.9, files }])[0]?.isTooHeavy).toBe(true);
  expect(() => weighPages(chunks, [{ name: "gone", bar: 1, files: ["web/staff/gone.tsx"] }])).toThrow("in no file");
});

/**
 * Returns a file with the files that it loads at once, and their packages, each with a file that names it. `onDemand`
 * adds what they load later.
 */
function findModules(start: string, { onDemand = false } = {}): { files: Set<string>; packages: Map<string, string> } {
  const packages = new Map<string, string>();
  const files = new Set([start]);
  for (const file of files) {
    if (!/\.tsx?$/.test(file) || !existsSync(join(repository, file))) continue;
    const text = readFileSync(join(repository, file), "utf8");
    const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module;
    const later = dynamicImports.map(({ moduleRequest: { start: from, end } }) => text.slice(from + 1, end - 1));
    const specifiers = [
      ...staticImports.filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType)),
      ...staticExports.flatMap(({ entries }) => entries.filter(({ isType }) => !isType)),
    ].flatMap(({ moduleRequest }) => moduleRequest?.value ?? []);
    for (const specifier of onDemand ? [...specifiers, ...later] : specifiers) {
      const target = resolveImport(specifier, file, repository);
      if (target.file) files.add(target.file);
      else if (target.package) packages.set(target.package, file);
    }
  }
  return { files, packages };
}

test("no page of the site loads parts that only work within the portal's shell: Mantine and Apollo Client", () => {
  const isOfSite = (name: string) => pageAccess[table[name as keyof typeof table].access].kind !== "private";
  const pages = findPages(table).filter(({ name }) => isOfSite(name));
  const found = pages.flatMap(({ name, files: [file = ""] }) => {
    const packages = [...findModules(file).packages].filter(([used]) => /^@(mantine|apollo)\//.test(used));
    return packages.map(([used, by]) => `${name}: ${used} in ${by}`);
  });
  expect(pages.length).toBeGreaterThan(30);
  expect(found).toEqual([]);
});

test.each([
  ["portal", "api/app/legal-pdf.ts"],
  ["schema explorer", "web/app/playground.tsx"],
])("the build of the %s depends on all files that %s loads", (name, start) => {
  const { sources = [] } = targets.find((one) => one.name === name) ?? {};
  expect(sources.filter((source) => !existsSync(join(repository, source)))).toEqual([]);
  const isSource = (file: string) => sources.some((source) => file === source || file.startsWith(`${source}/`));
  const { files } = findModules(start, { onDemand: true });
  expect(files.size).toBeGreaterThan(3);
  expect([...files].filter((file) => !isSource(file))).toEqual([]);
});
