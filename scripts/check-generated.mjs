/** Fails if a generated file differs from the output of `npm run generate`, which it writes to a temporary folder. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bin, root, run, typescript } from "./runtime.mjs";

const fresh = mkdtempSync(join(tmpdir(), "generated-"));
try {
  for (const folder of ["docs", "schema", "web/generated"]) mkdirSync(join(fresh, folder), { recursive: true });
  await must([...typescript, "scripts/generate.ts", fresh]);
  const config = readFileSync(join(root, "codegen.yml"), "utf8")
    .replace(/^schema: /m, `schema: ${fresh}/`)
    .replace(/^( +)(web\/generated|schema)\//gm, `$1${fresh}/$2/`);
  const configFile = join(fresh, "codegen.yml");
  writeFileSync(configFile, config);
  // graphql-codegen resolves relative paths from the working directory, which is the root.
  await must([bin("@graphql-codegen/cli", "graphql-codegen"), "--config", configFile]);
  rmSync(configFile);
  const stale = listFiles(fresh, "").filter((file) => readContent(root, file) !== readContent(fresh, file));
  if (stale.length > 0) {
    process.stdout.write(`Out of date: ${stale.join(", ")}. Run npm run generate and commit what it writes.\n`);
    process.exitCode = 1;
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

async function must(args) {
  const { code, output } = await run(args);
  if (code === 0) return;
  process.stdout.write(output);
  rmSync(fresh, { recursive: true, force: true });
  process.exit(1);
}

function readContent(folder, file) {
  const path = join(folder, file);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

function listFiles(folder, under) {
  return readdirSync(join(folder, under), { withFileTypes: true }).flatMap((entry) => {
    const path = join(under, entry.name);
    return entry.isDirectory() ? listFiles(folder, path) : [path];
  });
}
