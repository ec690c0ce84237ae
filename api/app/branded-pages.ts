import { createHash, randomUUID } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { brand } from "#schema/brand.ts";
import { CORPORATE_TERMS, fillTokens, TEMPLATES, textKinds } from "#schema/brand-tokens.ts";
import { DAY, readMachineClock } from "#api/platform/clock.ts";
import { builtIn, isBrandReplaced, logoPath, readLogo } from "#api/platform/brand-file.ts";
import type { LegalText } from "./legal-pdf.ts";

/** Time for which the copy of a build is kept after the next one, for tabs that were opened before (docs/operations.md#upgrade). */
const KEEP_MS = 30 * DAY;

/** Reference to a built asset, which gets another address for each brand, because browsers keep assets forever. */
const assetReference = /(["'`(/=])assets\/([\w-]+\.[\w.-])/g;

/**
 * Returns the folder from which a built site is served: `from`, or for another brand than the built-in one a copy in the
 * data folder with that brand. The copy is written once for each build and brand (decision 0061).
 * @param from folder of the build; missing if the site wasn't built
 */
export async function brandBuild(from: string, dataDir: string): Promise<string> {
  if (!isBrandReplaced() || !existsSync(join(from, TEMPLATES))) return from;
  const hash = hashBuild(from);
  const to = join(dataDir, "pages", hash);
  if (existsSync(to)) return to;
  const part = `${to}.${randomUUID()}.part`;
  try {
    await writeBuild(from, part, hash);
    renameSync(part, to);
    removeOldCopies(dirname(to));
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(to)) throw error;
  }
  return to;
}

/**
 * Returns the folder with an asset, whose address names its copy. Tabs that were opened before an upgrade request those of
 * earlier builds, and pages of a newer process beside this one those of its build.
 * @param current folder of the build that this process serves
 */
export function findAssets(current: string, dataDir: string, file: string): string {
  const [, hash = ""] = /^(\w+)\//.exec(file) ?? [];
  const copy = join(dataDir, "pages", hash, "assets");
  return hash && existsSync(join(copy, hash)) ? copy : join(current, "assets");
}

function removeOldCopies(folder: string): void {
  const copies = readdirSync(folder).map((name) => {
    const path = join(folder, name);
    return { path, writtenAt: statSync(path).mtimeMs, isPortal: existsSync(join(path, "assets")) };
  });
  for (const { path, writtenAt, isPortal } of copies) {
    const successors = copies.filter((other) => other.isPortal === isPortal && other.writtenAt > writtenAt);
    const replacedAt = Math.min(...successors.map((other) => other.writtenAt));
    if (readMachineClock() - replacedAt > KEEP_MS) rmSync(path, { recursive: true, force: true });
  }
}

async function writeBuild(from: string, to: string, hash: string): Promise<void> {
  const templates = listFiles(join(from, TEMPLATES));
  const filled = new Set(templates.map((file) => fillTokens(file, builtIn, "plain")));
  for (const file of listFiles(from)) {
    const plain = file.replace(/\.(?:br|gz)$/, "");
    if (file.startsWith(TEMPLATES) || filled.has(plain)) continue;
    cpSync(join(from, file), join(to, moveAsset(file, hash)));
  }
  for (const file of templates) {
    if (file === `${CORPORATE_TERMS}.json`) continue;
    const source = readFileSync(join(from, TEMPLATES, file), "utf8");
    const text = fillTokens(source, brand, textKinds[extname(file)] ?? "plain");
    write(join(to, moveAsset(fillTokens(file, brand, "plain"), hash)), text);
  }
  // Scripts, pages and styles name assets, whether or not they contain the brand.
  for (const file of listFiles(to)) if (/\.(?:js|html|css)$/.test(file)) moveReferences(join(to, file), hash);
  write(join(to, logoPath), readLogo());
  await writeTerms(from, to);
}

function moveReferences(file: string, hash: string): void {
  const text = readFileSync(file, "utf8");
  const moved = text.replace(assetReference, `$1assets/${hash}/$2`);
  if (moved !== text) writeFileSync(file, moved);
  else if (existsSync(`${file}.br`)) return;
  if (file.endsWith(".html") || moved.length < 1_024) return;
  const bytes = Buffer.from(moved);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
}

/** Renders the PDF of the corporate terms for the brand. */
async function writeTerms(from: string, to: string): Promise<void> {
  const file = join(from, TEMPLATES, `${CORPORATE_TERMS}.json`);
  if (!existsSync(file)) return;
  const { renderLegalPdf } = await import("./legal-pdf.ts");
  const terms = JSON.parse(fillTokens(readFileSync(file, "utf8"), brand, "json")) as LegalText;
  writeFileSync(join(to, "media", `${CORPORATE_TERMS}.pdf`), await renderLegalPdf(terms));
}

const moveAsset = (file: string, hash: string): string => file.replace(/(^|\/)assets\//, `$1assets/${hash}/`);

function hashBuild(from: string): string {
  const hash = createHash("sha256").update(JSON.stringify(brand)).update(readLogo());
  for (const file of listFiles(join(from, TEMPLATES)))
    hash.update(file).update(readFileSync(join(from, TEMPLATES, file)));
  return hash.digest("base64url").replaceAll(/[^\w]/g, "").slice(0, 16);
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function write(file: string, text: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
