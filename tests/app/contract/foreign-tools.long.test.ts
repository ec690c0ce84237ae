import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildSchema, isEnumType } from "graphql";
import { afterAll, expect, test } from "vitest";
import { startTestApp } from "#tests/support/test-app.ts";

// Strangers read the contract with tools that this repository doesn't use. Each test runs one of them as it is published.

const run = promisify(execFile);
const repository = join(import.meta.dirname, "../../..");
const tools = join(repository, "tools/contract/node_modules");
const schemaFile = join(repository, "schema/schema.graphql");
const schema = buildSchema(readFileSync(schemaFile, "utf8"));

mkdirSync(join(repository, ".cache"), { recursive: true });
const folder = mkdtempSync(join(repository, ".cache/foreign-tools-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const app = await startTestApp();

const runTool = async (args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
  run(process.execPath, args, { cwd: folder, maxBuffer: 50_000_000, ...options }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, output: stdout + stderr }),
  );

async function compile(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const checks = { strict: true, noEmit: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true };
  const compilerOptions = { ...checks, target: "es2023", module: "esnext", moduleResolution: "bundler", types: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  return runTool([join(tools, "typescript/bin/tsc"), "-p", folder]);
}

test("the schema follows the rules that graphql-eslint recommends", async () => {
  const cwd = join(repository, "tools/contract");
  writeFileSync(join(folder, "schema.graphql"), readFileSync(schemaFile));
  const args = [join(tools, "eslint/bin/eslint.js"), "--config", join(cwd, "eslint.config.mjs"), "schema.graphql"];
  expect(await runTool(args, { env: { ...process.env, SCHEMA: schemaFile } })).toEqual({ code: 0, output: "" });
});

test("a foreign client's generated types compile, with a switch over each list that misses no value", async () => {
  const config = { enumsAsTypes: true, scalars: { Date: "string", DateTime: "string" } };
  const generates = { "types.ts": { plugins: ["typescript"], config } };
  const configFile = join(folder, "codegen.json");
  writeFileSync(configFile, JSON.stringify({ schema: schemaFile, generates }));
  const codegen = join(repository, "node_modules/@graphql-codegen/cli/cjs/bin.js");
  const generated = await runTool([codegen, "--config", configFile, "--silent"]);
  expect(generated.code, generated.output).toBe(0);
  const lists = Object.values(schema.getTypeMap()).filter((type) => isEnumType(type) && !type.name.startsWith("__"));
  const switches = lists.flatMap((type) => {
    if (!isEnumType(type)) return [];
    const cases = type.getValues().map(({ name }) => `case "${name}": return "${name}";`);
    return [
      `export function read${type.name}(value: types.${type.name}): string { switch (value) { ${cases.join(" ")} } }`,
    ];
  });
  expect(lists.length).toBeGreaterThan(50);
  const { output } = await compile({
    "switches.ts": `import type * as types from "./types";\n${switches.join("\n")}\n`,
  });
  expect(output).toBe("");
  // The compiler notices a value without a case, so the test above can fail.
  const short = switches.map((text) => text.replace(/case "\w+": return "\w+"; /, ""));
  const missed = await compile({ "switches.ts": `import type * as types from "./types";\n${short.join("\n")}\n` });
  expect(missed.output).toContain("error TS");
});

test("the server passes the audits of graphql-http", async () => {
  const { serverAudits } = await import(join(tools, "graphql-http/lib/index.mjs"));
  const audits: { name: string; fn: () => Promise<{ status: "ok" | "notice" | "warn" | "error"; reason?: string }> }[] =
    serverAudits({ url: `${app.url}/graphql` });
  expect(audits).toHaveLength(61);
  const others: string[] = [];
  for (const { name, fn } of audits) {
    const { status } = await fn();
    if (status !== "ok") others.push(`${status}: ${name}`);
  }
  // GET needs the header `apollo-require-preflight`, and faults of a document have status 400 for every client (docs/graphql.md).
  const variables = "notice: MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting";
  expect(others.sort()).toEqual([
    "notice: MAY accept application/x-www-form-urlencoded formatted GET requests",
    `${variables} application/graphql-response+json`,
    `${variables} application/json`,
    "warn: SHOULD use 200 status code on document parsing failure when accepting application/json",
    "warn: SHOULD use 200 status code on document validation failure when accepting application/json",
    "warn: SHOULD use a status code of 200 on variable coercion failure when accepting application/json",
  ]);
});

test("Redocly's recommended rules find no fault in openapi.json", async () => {
  const { createConfig, lint } = createRequire(join(tools, "module.js"))("@redocly/openapi-core");
  // The specification chose the paths, and terms of use aren't a licence (decision 0220).
  const rules = { "no-ambiguous-paths": "off", "info-license": "off" };
  const config = await createConfig({ extends: ["recommended"], rules });
  const problems: { severity: string; ruleId: string; message: string; location: { pointer?: string }[] }[] =
    await lint({ ref: join(repository, "schema/openapi.json"), config });
  const faults = problems.map((one) => `${one.severity} ${one.ruleId}: ${one.message} ${one.location[0]?.pointer}`);
  expect(faults).toEqual([]);
});
