/**
 * Makes a release (`npm run release -- 1.2.0`, docs/versioning.md): dates what is unreleased in CHANGELOG.md and
 * docs/upgrading.md, sets the version of the product and of its Helm chart, records the contract in `schema/released`,
 * commits, tags, and packs `release/`. Pushing the tag publishes it. With `--dry-run`, it only says what changes for clients.
 * From then on, a test fails if a change breaks the contract.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process, { stdout } from "node:process";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { compareContracts, isAgreed, type ReleasedContract } from "./contract/compare-contracts.ts";
import { selectKeptOperations, type ReleasedOperations, dateChangelog } from "./contract/release-files.ts";

const root = join(import.meta.dirname, "..");
const schema = join(root, "schema");
const readJson = <T>(file: string) => JSON.parse(readFileSync(file, "utf8")) as T;
const writeJson = (file: string, json: unknown) => writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`);

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { "dry-run": { type: "boolean", default: false } },
});
const [version = ""] = positionals;
const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const stop = (why: string): never => {
  stdout.write(`${why} Nothing was changed.\n`);
  process.exit(1);
};

if (!/^\d+\.\d+\.\d+$/.test(version)) stop("Name the version, such as `npm run release -- 1.2.0`.");
if (git("tag", "--list", `v${version}`) !== "") stop(`The tag v${version} exists.`);
if (!options["dry-run"] && git("status", "--porcelain") !== "") stop("Commit or stash your changes first.");

const { breaking, dangerous, agreed } = compareContracts(root);
const isAnnounced = (change: string) => agreed.some((one) => isAgreed(change, one));
for (const one of dangerous) stdout.write(`May surprise a client: ${one}\n`);
for (const one of breaking) stdout.write(`Breaks a client${isAnnounced(one) ? ", as agreed" : ""}: ${one}\n`);
if (breaking.some((one) => !isAnnounced(one))) stop("Fix the break, or add it to schema/released/agreed-breaks.json.");
const takenAt = new Date().toISOString().slice(0, 10);
const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
const dated = dateChangelog(changelog, version, takenAt) ?? stop('CHANGELOG.md has nothing under "## Unreleased".');
const upgrading = readFileSync(join(root, "docs/upgrading.md"), "utf8");
const datedNotes =
  dateChangelog(upgrading, version, takenAt) ??
  stop('docs/upgrading.md has nothing under "## Unreleased". Write what operators have to do, even if it is nothing.');
if (options["dry-run"]) process.exit(0);

writeFileSync(join(root, "CHANGELOG.md"), dated);
writeFileSync(join(root, "docs/upgrading.md"), datedNotes);
execFileSync("npm", ["version", version, "--no-git-tag-version", "--allow-same-version"], { cwd: root });
// The chart starts the image of its own version.
const chartFile = join(root, "deploy/helm/Chart.yaml");
const chart = readFileSync(chartFile, "utf8");
writeFileSync(chartFile, chart.replaceAll(/^(version|appVersion): .*$/gm, `$1: "${version}"`));

const contract: ReleasedContract = {
  openApi: readJson(join(schema, "openapi.json")),
  graphql: readFileSync(join(schema, "schema.graphql"), "utf8"),
};
writeFileSync(join(schema, "released/contract.json.gz"), gzipSync(JSON.stringify(contract), { level: 9 }));
writeJson(join(schema, "released/agreed-breaks.json"), []);
const operationsFile = join(schema, "released/operations.json");
const { releases } = readJson<{ releases: ReleasedOperations[] }>(operationsFile);
const operations = readJson<Record<string, string>>(join(schema, "operations.json"));
writeJson(operationsFile, { releases: selectKeptOperations(releases, { version, takenAt, operations }) });
git("add", "CHANGELOG.md", "docs/upgrading.md", "deploy/helm", "package.json", "package-lock.json", "schema/released");
git("commit", "--message", `Release ${version}`);
git("tag", "--annotate", `v${version}`, "--message", `Release ${version}`);
execFileSync("npm", ["run", "package"], { cwd: root, stdio: "inherit" });
stdout.write(`Released ${version}. Publish it with: git push --follow-tags\n`);
