import { readdirSync, readFileSync, rmSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildServer } from "#tests/support/server-process.ts";

let folder: string;

beforeAll(async () => {
  folder = await buildServer({ sourcemap: true });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = (ending: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(ending));
const mapAt = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8")) as SourceMapPayload;

/** Returns the source file and line of a line in the bundle, as stack traces show them. */
function findOrigin(text: string) {
  for (const name of files(".js")) {
    const lines = readFileSync(join(folder, name), "utf8").split("\n");
    const line = lines.findIndex((one) => one.includes(text));
    if (line < 0) continue;
    const entry = new SourceMap(mapAt(`${name}.map`)).findEntry(line, lines[line]?.indexOf(text) ?? 0);
    if (!("originalSource" in entry) || entry.generatedLine !== line) return null;
    const source = entry.originalSource.replace(/^(\.\.\/)+/, "");
    return { source, line: readFileSync(source, "utf8").split("\n")[entry.originalLine] };
  }
  throw new Error(`No file of the bundle contains ${text}.`);
}

test("maps stack traces to the product's source", () => {
  expect(findOrigin("function signLicenceProof(")).toEqual({
    source: "api/licensing/licences/licence-proof.ts",
    line: expect.stringContaining("export function signLicenceProof("),
  });
});

test("excludes packages from source maps, because they would double the server's memory use", () => {
  expect(findOrigin("function fastifyCompress(")).toBeNull();
  const sources = files(".js.map").flatMap((name) => mapAt(name).sources);
  expect(sources.filter((name) => name.includes("node_modules"))).toEqual([]);
  expect(sources.filter((name) => /^(\.\.\/)+(api|schema)\//.test(name)).length).toBeGreaterThan(500);
});
