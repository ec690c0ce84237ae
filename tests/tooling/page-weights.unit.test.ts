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
const { pagesOf, weigh } = (await import(join(repository, "scripts/check-weights.mjs"))) as {
  pagesOf: (routes: string) => Page[];
  weigh: (chunks: Map<string, Chunk>, pages: Page[]) => { name: string; kb: number; isTooHeavy: boolean }[];
};

const routes = ["public-routes", "routes"]
  .map((file) => readFileSync(join(repository, `web/app/${file}.ts`), "utf8"))
  .join("\n");

test("every route has a bar: 310 kB for admins, 275 kB in the portal, 145 kB for sign-in and 120 kB for visitors", () => {
  const pages = pagesOf(routes);
  expect(pages).toHaveLength(routes.match(/import\("#web\/pages|(portal|site)Page\("/g)?.length ?? 0);
  const barOf = (name: string) => pages.find((page) => page.name === name)?.bar;
  expect([barOf("admin/manage-users"), barOf("customer/update-profile")]).toEqual([310, 275]);
  expect([barOf("public/home"), barOf("public/login")]).toEqual([120, 145]);
});

test("a route that is written otherwise is not left out in silence", () => {
  const odd = "  { path: paths.odd, access: everybody, page: lazyPage(() => import('#web/pages/public/odd.tsx')) },\n";
  expect(() => pagesOf(odd + routes)).toThrow("paths.odd");
});

test("a page weighs what it imports, each file once, and is reported above its bar", () => {
  const chunks = new Map<string, Chunk>([
    ["index.js", { imports: ["react.js"], sources: ["/r/web/app/main.tsx"], kb: 20, isEntry: true }],
    ["react.js", { imports: [], sources: [], kb: 80 }],
    ["page.js", { imports: ["react.js", "list.js"], sources: ["/r/web/pages/admin/admin.tsx"], kb: 5 }],
    ["list.js", { imports: ["react.js"], sources: [], kb: 10 }],
    ["dialog.js", { imports: [], sources: ["/r/web/ui/dialog-modal.tsx"], kb: 30 }],
  ]);
  const files = ["web/pages/admin/admin.tsx"];
  expect(weigh(chunks, [{ name: "admin", bar: 115, files }])).toEqual([
    { name: "admin", kb: 115, bar: 115, isTooHeavy: false },
  ]);
  expect(weigh(chunks, [{ name: "admin", bar: 114.9, files }])[0]?.isTooHeavy).toBe(true);
  expect(() => weigh(chunks, [{ name: "gone", bar: 1, files: ["web/pages/gone.tsx"] }])).toThrow("in no file");
});
