import { readFileSync } from "node:fs";
import { expect, test, describe } from "vitest";
import released from "#schema/released/operations.json" with { type: "json" };
import { compareContracts, isAgreed, compareGraphql } from "../../../scripts/contract/compare-contracts.ts";
import { selectKeptOperations, dateChangelog } from "../../../scripts/contract/release-files.ts";

const { breaking, dangerous, agreed } = compareContracts(".");

test("has no breaking changes since the release except the agreed ones (docs/versioning.md)", () => {
  // Dangerous changes are printed for the changelog but don't fail the test.
  if (dangerous.length > 0) process.stdout.write(`May surprise a client:\n- ${dangerous.join("\n- ")}\n`);
  expect(breaking.filter((change) => !agreed.some((one) => isAgreed(change, one)))).toEqual([]);
});

test("lists no agreed breaking change that doesn't exist", () => {
  expect(agreed.filter((one) => !breaking.some((change) => isAgreed(change, one)))).toEqual([]);
});

test("finds the released version in the changelog", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(released.releases[0]?.version).toBe(version);
  expect(readFileSync("CHANGELOG.md", "utf8")).toMatch(
    new RegExp(`^## ${version.replaceAll(".", "\\.")}( - \\d{4}-\\d\\d-\\d\\d)?$`, "m"),
  );
});

test("each version of the changelog has upgrade notes, which a release dates, too", () => {
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
  const released = `
  type Query { thing(id: ID!, level: Level): Thing }
  type Thing { id: ID!  name: String }
  enum Level { LOW HIGH }
  input Filter { text: String }
  type Mutation { find(filter: Filter): [Thing!]! }
`;

  test.each<[string, string, string, string]>([
    ["a removed field", "name: String", "", "Thing.name was removed"],
    ["a type that becomes a scalar", "type Thing { id: ID!  name: String }", "scalar Thing", "Thing changed from"],
    ["a removed argument", ", level: Level", "", "arg level was removed"],
    ["a new required argument", "thing(id: ID!", "thing(id: ID!, at: String!", "required arg at"],
    ["a removed enum value", "LOW HIGH", "LOW", "HIGH was removed"],
    ["a field that may now be null", "id: ID!  name", "id: ID  name", "Thing.id changed type"],
    ["a new required input field", "{ text: String }", "{ text: String, at: Int! }", "required field at"],
  ])("reports %s as a breaking change", (_what, before, after, sentence) => {
    const { breaking } = compareGraphql(released, released.replace(before, after));
    expect(breaking).toContainEqual(expect.stringContaining(sentence));
  });

  test("reports a new enum value as dangerous, and a new field not at all", () => {
    const value = compareGraphql(released, released.replace("LOW HIGH", "LOW HIGH HIGHEST"));
    expect(value.breaking).toEqual([]);
    expect(value.dangerous).toContainEqual(expect.stringContaining("HIGHEST was added"));
    const extended = released.replace("name: String", 'name: String @deprecated(reason: "x") at: Int');
    expect(compareGraphql(released, extended)).toEqual({ breaking: [], dangerous: [] });
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
  });

  test("replaces a version that is recorded again", () => {
    const again = release("1.0.0", "2026-01-02", "b");
    expect(selectKeptOperations([release("1.0.0", "2026-01-01", "a")], again)).toEqual([again]);
  });
});
