/** Builds the portal, the schema explorer and the server's bundle if their sources have changed. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bin, root, run } from "./runtime.mjs";

const everywhere = ["schema", "package.json", "package-lock.json", "tsconfig.json"];

/** The parts of the build, each with the files and folders that it is made of. */
export const targets = [
  {
    name: "portal",
    args: ["build", "--config", "vite.config.ts"],
    output: "dist/web",
    sources: [
      ...everywhere,
      "web",
      "scripts/content",
      "scripts/operation-plugin.ts",
      // Texts of the developer guide.
      "docs/addin.md",
      "docs/graphql.md",
      "docs/guide",
      "docs/staff-roles.md",
      "docs/versioning.md",
      "docs/webhooks.md",
      "CHANGELOG.md",
      "clients/README.md",
      "clients/dotnet/README.md",
      "clients/dotnet/CHANGELOG.md",
      // Draws the PDF of the corporate terms.
      "api/app/legal-pdf.ts",
      "api/billing/invoices/pdf-fonts.ts",
      "api/billing/invoices/pdf-drawing.ts",
      "api/billing/invoices/visual-order.ts",
      "api/platform/brand-file.ts",
      "vite.config.ts",
      ...readdirSync(root).filter((name) => name.endsWith(".html")),
    ],
  },
  {
    name: "schema explorer",
    args: ["build", "--config", "vite.playground.config.ts"],
    output: "dist/playground",
    sources: [
      ...everywhere,
      // Lists only the parts of the portal that the explorer uses, so that changing a page doesn't rebuild the editor.
      "web/app",
      "web/platform",
      "web/ui",
      "web/access/sessions",
      "web/site/playground",
      "web/generated/pages.ts",
      "scripts/content",
      "scripts/operation-plugin.ts",
      "playground.html",
      "vite.playground.config.ts",
    ],
  },
  {
    name: "server",
    args: ["build", "--config", "vite.server.config.ts", "--ssr", "api/server.ts"],
    output: "dist/server",
    sources: [...everywhere, "api", "scripts/node-hash.cjs", "vite.server.config.ts"],
  },
];

/** The targets that `npm start` needs. The server builds the schema explorer when it is first requested. */
export const neededToStart = ["portal", "server"];

/**
 * Brings dist/ up to date and prints a line for each build. Without names, builds everything. `hasSamples` keeps the
 * invented people of the site's content, which no vendor publishes.
 * @throws {Error} with the builder's output if a build fails
 */
export async function build(names = targets.map(({ name }) => name), { hasSamples = false } = {}) {
  const env = { NODE_ENV: "production", SAMPLES: hasSamples ? "on" : "off" };
  const stale = targets
    .filter(({ name }) => names.includes(name))
    .map((target) => ({ ...target, env, stamp: computeStamp(target, env) }))
    .filter((target) => target.stamp !== readStamp(target));
  if (stale.length === 0) return;
  process.stdout.write(`Building the ${stale.map((target) => target.name).join(", the ")} …\n`);
  const results = await Promise.all(stale.map(buildOne));
  const failed = results.find((result) => result.code !== 0);
  if (failed) throw new Error(`${failed.output.trim()}\n\nThe ${failed.name} could not be built; see the lines above.`);
}

/** Builds into a new folder, which then replaces the old one, because two processes may build the same. */
async function buildOne({ name, args, output, stamp, env }) {
  const target = join(root, output);
  const fresh = `${target}.${process.pid}`;
  const options = ["--outDir", fresh, "--emptyOutDir", "--logLevel", "warn"];
  const result = await run([bin("vite"), ...args, ...options], { env });
  if (result.code !== 0) rmSync(fresh, { recursive: true, force: true });
  else {
    writeFileSync(join(fresh, ".stamp"), stamp);
    rmSync(target, { recursive: true, force: true });
    renameSync(fresh, target);
    process.stdout.write(`  ${name} built in ${result.seconds.toFixed(1)} s\n`);
  }
  return { name, ...result };
}

function readStamp({ output }) {
  const file = join(root, output, ".stamp");
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

/** Hashes the contents of the sources instead of their modification times, which change with every checkout. */
function computeStamp({ name, args, sources }, { SAMPLES }) {
  const hash = createHash("sha256").update([...args, name === "portal" ? SAMPLES : ""].join(" "));
  for (const file of sources.flatMap((source) => listFiles(source)))
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  return hash.digest("hex");
}

function listFiles(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full)
    .sort()
    .flatMap((name) => listFiles(join(path, name)));
}

if (process.argv[1] === import.meta.filename) {
  const names = process.argv.slice(2);
  await build(names.length > 0 ? names : undefined);
}
