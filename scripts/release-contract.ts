/**
 * Records the current contract as released (`npm run release:contract`, docs/versioning.md) under the version in
 * package.json, which must have a heading in CHANGELOG.md. From then on, a test fails if a change breaks the contract.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process, { stdout } from "node:process";
import { gzipSync } from "node:zlib";
import { compareContracts, isAgreed, type ReleasedContract } from "./contract/compare-contracts.ts";
import { selectKeptOperations, type ReleasedOperations } from "./contract/kept-operations.ts";

const root = join(import.meta.dirname, "..");
const schema = join(root, "schema");
const readJson = <T>(file: string) => JSON.parse(readFileSync(file, "utf8")) as T;
const writeJson = (file: string, json: unknown) => writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`);

const { version } = readJson<{ version: string }>(join(root, "package.json"));
if (
  !new RegExp(`^## ${version.replaceAll(".", "\\.")}\\b`, "m").test(readFileSync(join(root, "CHANGELOG.md"), "utf8"))
) {
  stdout.write(
    `CHANGELOG.md has no heading "## ${version}": describe the release there, then run this command again.\n`,
  );
  process.exit(1);
}

const { breaking, dangerous, agreed } = compareContracts(root);
const isAnnounced = (change: string) => agreed.some((one) => isAgreed(change, one));
for (const one of dangerous) stdout.write(`May surprise a client: ${one}\n`);
for (const one of breaking) stdout.write(`Breaks a client${isAnnounced(one) ? ", as agreed" : ""}: ${one}\n`);
if (breaking.some((one) => !isAnnounced(one)) && !process.argv.includes("--break")) {
  stdout.write("Nothing was recorded. Fix the break, add it to schema/released/agreed-breaks.json, or pass --break.\n");
  process.exit(1);
}

const contract: ReleasedContract = {
  openApi: readJson(join(schema, "openapi.json")),
  graphql: readFileSync(join(schema, "schema.graphql"), "utf8"),
};
writeFileSync(join(schema, "released/contract.json.gz"), gzipSync(JSON.stringify(contract), { level: 9 }));
writeJson(join(schema, "released/agreed-breaks.json"), []);
const operationsFile = join(schema, "released/operations.json");
const { releases } = readJson<{ releases: ReleasedOperations[] }>(operationsFile);
const operations = readJson<Record<string, string>>(join(schema, "operations.json"));
const takenAt = new Date().toISOString().slice(0, 10);
writeJson(operationsFile, { releases: selectKeptOperations(releases, { version, takenAt, operations }) });
stdout.write(`Recorded as the released contract of ${version}.\n`);
