import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { brand } from "#schema/brand.ts";
import { fillTokens, hasTokens, toTokens } from "#schema/brand-tokens.ts";
import { brandBuild, findAssets } from "#api/app/branded-pages.ts";
import { DAY } from "#api/platform/clock.ts";
import { applyBrandSettings, builtIn, logoPath, readLogo } from "#api/platform/brand-file.ts";
import { fillBuiltInBrand } from "../../../scripts/content/brand-tokens.ts";

const other = "O'Brien & Daughters $1";
const tokens = toTokens(builtIn);
const { segment, name, mailboxes } = tokens;
let folder: string;

/** A small build as Vite writes it, with placeholders. */
const files: Readonly<Record<string, string>> = {
  "index.html": `<title>${name}</title><script src="/assets/main-1234567.js"></script>`,
  [`pages/trial-${segment}/index.html`]: `<p title="${name}"><a href="mailto:${mailboxes.sales.email}">Trial</a></p><script type="application/ld+json">{"name":"${name}"}</script>`,
  "pages.json": JSON.stringify({ pages: { [`/trial-${segment}/`]: `pages/trial-${segment}/index.html` } }),
  "assets/main-1234567.js": `import"./plain-1234567.js";const a=['assets/plain-1234567.js'],b='${name}';${"//".padEnd(1_100, "x")}\nexport{a,b}`,
  "assets/plain-1234567.js": "export {};",
  "pages/llms.txt": `# ${name} developer guide`,
  "pages/docs/proofs.md": `A proof of ${name}`,
  "media/captions.vtt": "WEBVTT\n\nPlanvarro by Planvarro Software",
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "branded-"));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, "web", file)), { recursive: true });
    writeFileSync(join(folder, "web", file), text);
  }
  fillBuiltInBrand(join(folder, "web"));
});
afterEach(() => {
  applyBrandSettings({});
  Object.assign(brand, structuredClone(builtIn));
  rmSync(folder, { recursive: true });
});

const read = (root: string, file: string) => readFileSync(join(root, file), "utf8");

test("the build has the built-in brand and keeps the placeholders apart", async () => {
  const web = await brandBuild(join(folder, "web"), folder);
  expect(web).toBe(join(folder, "web"));
  expect(read(web, "pages/trial-xer/index.html")).toContain('title="Planvarro Software"');
  expect(read(web, "media/captions.vtt")).toBe(files["media/captions.vtt"]);
  expect(read(web, "pages/llms.txt")).toBe("# Planvarro Software developer guide");
  expect(readdirSync(join(web, "pages")).toSorted()).toEqual(["docs", "llms.txt", "trial-xer"]);
  expect(read(web, `templates/pages/trial-${segment}/index.html`)).toContain(name);
});

test("another brand fills pages, scripts, addresses and captions, each with its escaping", async () => {
  Object.assign(brand, { name: other, segment: "ridge", productName: "Ridge Bridge" });
  const web = await brandBuild(join(folder, "web"), folder);
  expect(web).not.toBe(join(folder, "web"));
  const page = read(web, "pages/trial-ridge/index.html");
  expect(page).toContain('title="O&#x27;Brien &amp; Daughters $1"');
  expect(page).toContain(`{"name":"${other}"}`);
  expect(JSON.parse(read(web, "pages.json")).pages).toEqual({ "/trial-ridge/": "pages/trial-ridge/index.html" });
  expect(read(web, "media/captions.vtt")).toContain(`Ridge Bridge by ${other}`);
  expect(read(web, "pages/docs/proofs.md")).toBe(`A proof of ${other}`);

  const [, assets = ""] = /src="\/(assets\/\w+)\/main-1234567\.js"/.exec(read(web, "index.html")) ?? [];
  expect(assets).not.toBe("");
  const script = join(web, assets, "main-1234567.js");
  const loaded = (await import(script)) as { a: string[]; b: string };
  expect(loaded).toMatchObject({ a: [`${assets}/plain-1234567.js`], b: other });
  expect(gunzipSync(readFileSync(`${script}.gz`)).toString()).toBe(readFileSync(script, "utf8"));
  expect(existsSync(join(web, "templates"))).toBe(false);
});

test("another brand's logo replaces the file that every page shows", async () => {
  const builtInLogo = readLogo();
  applyBrandSettings({ BRAND_FILE: "brand.example.json" });
  const web = await brandBuild(join(folder, "web"), folder);
  const logo = readFileSync(join(web, logoPath));
  expect([logo.equals(readLogo()), logo.equals(builtInLogo)]).toEqual([true, false]);
});

test("pages, icons and search results name one logo file", () => {
  for (const file of [
    "index.html",
    "playground.html",
    "web/public/site.webmanifest",
    "web/ui/pictures/logo.tsx",
    "scripts/content/structured-data.ts",
  ]) {
    const pictures = readFileSync(file, "utf8").match(/\/[\w/-]+\.(?:png|svg|ico)\b/g);
    const others = file.startsWith("scripts") ? ["/media/open-graph.png"] : [];
    expect(new Set(pictures), file).toEqual(new Set([logoPath, ...others]));
  }
});

test("another brand is written once and gets its own addresses", async () => {
  const write = () => brandBuild(join(folder, "web"), folder);
  Object.assign(brand, { name: "Acme" });
  const [first, second] = await Promise.all([write(), write()]);
  expect(first).toBe(second);
  Object.assign(brand, { name: "Beta" });
  expect(await write()).not.toBe(first);
  expect(readdirSync(join(folder, "pages"))).toHaveLength(2);
});

test("serves the files of an earlier build until 30 days after the next one", async () => {
  const write = async (name: string) => {
    Object.assign(brand, { name });
    return brandBuild(join(folder, "web"), folder);
  };
  const setWritten = (copy: string, daysAgo: number) =>
    utimesSync(copy, new Date(), new Date(Date.now() - daysAgo * DAY));
  const find = (copy: string, current: string) => findAssets(current, folder, `${basename(copy)}/main-1234567.js`);
  const first = await write("Acme");
  setWritten(first, 90);
  const second = await write("Beta");
  expect(find(first, second)).toBe(join(first, "assets"));
  setWritten(second, 31);
  const third = await write("Gamma");
  expect([first, second].map((copy) => find(copy, third))).toEqual([join(third, "assets"), join(second, "assets")]);
});

test("fills every text of the brand", () => {
  expect(JSON.parse(fillTokens(JSON.stringify(tokens), builtIn, "json"))).toEqual(builtIn);
  expect(hasTokens(JSON.stringify(builtIn))).toBe(false);
});
