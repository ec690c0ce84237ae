import { readFileSync } from "node:fs";
import { expect, test, describe } from "vitest";
import released from "#schema/released/operations.json" with { type: "json" };
import { compareContracts, isAgreed, compareGraphql } from "../../../scripts/contract/compare-contracts.ts";
import { selectKeptOperations, dateChangelog } from "../../../scripts/contract/release-files.ts";

const { breaking, dangerous, agreed } = compareContracts(".");

test("has no breaking changes since the release except the agreed ones (docs/versioning.md), which all exist", () => {
  // Dangerous changes are printed for the changelog but don't fail the test.
  if (dangerous.length > 0) process.stdout.write(`May surprise a client:\n- ${dangerous.join("\n- ")}\n`);
  expect(breaking.filter((change) => !agreed.some((one) => isAgreed(change, one)))).toEqual([]);
  expect(agreed.filter((one) => !breaking.some((change) => isAgreed(change, one)))).toEqual([]);
});

test("the changelog has the released version, and each of its versions has upgrade notes, which a release dates", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(released.releases[0]?.version).toBe(version);
  expect(readFileSync("CHANGELOG.md", "utf8")).toMatch(
    new RegExp(`^## ${version.replaceAll(".", "\\.")}( - \\d{4}-\\d\\d-\\d\\d)?$`, "m"),
  );
  const versions = (file: string) =>
    [...readFileSync(file, "utf8").matchAll(/^## (Unreleased|\d+\.\d+\.\d+)/gm)].map(([, version]) => version);
  expect(versions("docs/upgrading.md")).toEqual(versions("CHANGELOG.md"));
  expect(readFileSync("scripts/release.ts", "utf8")).toContain("dateChangelog(upgrading, version, takenAt)");
});

test("a release dates what is unreleased, and there must be something", () => {
  const changelog = "# Changelog\n\n## Unreleased\n\n- New\n\n## 0.1.0\n\n- Old\n";
  expect(dateChangelog(changelog, "0.2.0", "2026-11-29")).toBe(
    "# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-11-29\n\n- New\n\n## 0.1.0\n\n- Old\n",
  );
  expect(dateChangelog("# Changelog\n\n## Unreleased\n\n## 0.1.0\n", "0.2.0", "2026-11-29")).toBe(null);
});

describe("GraphQL changes", () => {
  // graphql-js decides which changes break clients.
  test("reports a removed field as breaking, a new enum value as dangerous, and a new field not at all", () => {
    const before = "type Query { name: String, level: Level } enum Level { LOW HIGH }";
    const compare = (from: string, to: string) => compareGraphql(before, before.replace(from, to));
    const removed = [expect.stringContaining("Query.name was removed")];
    expect(compare("name: String,", "")).toEqual({ breaking: removed, dangerous: [] });
    const added = [expect.stringContaining("HIGHEST was added")];
    expect(compare("LOW HIGH", "LOW HIGH HIGHEST")).toEqual({ breaking: [], dangerous: added });
    expect(compare("String,", "String, at: Int,")).toEqual({ breaking: [], dangerous: [] });
  });

  const release = (version: string, takenAt: string, ...names: string[]) => {
    const operations = Object.fromEntries(names.map((name) => [`hash of ${name}`, name]));
    return { version, takenAt, operations };
  };

  test("keeps a release's operations for 60 days after the next release", () => {
    const first = release("1.0.0", "2026-01-01", "a", "b");
    const second = release("1.1.0", "2026-03-01", "b", "c");
    const third = release("1.2.0", "2026-04-29", "c");
    const afterTwo = selectKeptOperations([first], second);
    expect(afterTwo).toEqual([second, release("1.0.0", "2026-01-01", "a")]);
    const kept = [release("1.1.0", "2026-03-01", "b"), release("1.0.0", "2026-01-01", "a")];
    expect(selectKeptOperations(afterTwo, third)).toEqual([third, ...kept]);
    const later = release("1.3.0", "2026-06-01", "c");
    expect(selectKeptOperations(afterTwo, later)).toEqual([later, release("1.1.0", "2026-03-01", "b")]);
    // A version that is recorded again is replaced.
    const again = release("1.0.0", "2026-01-02", "b");
    expect(selectKeptOperations([release("1.0.0", "2026-01-01", "a")], again)).toEqual([again]);
  });
});
