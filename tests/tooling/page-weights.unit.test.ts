import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

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
const { findPages, weighPages } = (await import(join(repository, "scripts/check-weights.mjs"))) as {
  findPages: (routes: string) => Page[];
  weighPages: (chunks: Map<string, Chunk>, pages: Page[]) => { name: string; kb: number; isTooHeavy: boolean }[];
};

const routes = ["public-routes", "routes"]
  .map((file) => readFileSync(join(repository, `web/app/${file}.ts`), "utf8"))
  .join("\n");

test("gives every route a limit: admin 310 kB, portal 275 kB, sign-in 145 kB, public 120 kB", () => {
  const pages = findPages(routes);
  expect(pages).toHaveLength(routes.match(/import\("#web\/pages|sitePage\("|signedInPage\(/g)?.length ?? 0);
  const findBar = (name: string) => pages.find((page) => page.name === name)?.bar;
  expect([findBar("admin/manage-users"), findBar("customer/update-profile")]).toEqual([310, 275]);
  expect([findBar("public/home"), findBar("public/login")]).toEqual([120, 145]);
});

test("rejects a route with an unknown form", () => {
  const odd = "  { path: paths.odd, access: everybody, page: lazyPage(() => import('#web/pages/public/odd.tsx')) },\n";
  expect(() => findPages(odd + routes)).toThrow("paths.odd");
});

test("counts each imported file once and reports a page above its limit", () => {
  const chunks = new Map<string, Chunk>([
    ["index.js", { imports: ["react.js"], sources: ["/r/web/app/main.tsx"], kb: 20, isEntry: true }],
    ["react.js", { imports: [], sources: [], kb: 80 }],
    ["page.js", { imports: ["react.js", "list.js"], sources: ["/r/web/pages/admin/admin.tsx"], kb: 5 }],
    ["list.js", { imports: ["react.js"], sources: [], kb: 10 }],
    ["dialog.js", { imports: [], sources: ["/r/web/ui/dialog-modal.tsx"], kb: 30 }],
  ]);
  const files = ["web/pages/admin/admin.tsx"];
  expect(weighPages(chunks, [{ name: "admin", bar: 115, files }])).toEqual([
    { name: "admin", kb: 115, bar: 115, isTooHeavy: false },
  ]);
  expect(weighPages(chunks, [{ name: "admin", bar: 114.9, files }])[0]?.isTooHeavy).toBe(true);
  expect(() => weighPages(chunks, [{ name: "gone", bar: 1, files: ["web/pages/gone.tsx"] }])).toThrow("in no file");
});
