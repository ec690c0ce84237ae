import { join } from "node:path";
import { expect, test } from "vitest";

interface Graph {
  counts: Record<string, Record<string, Record<string, number>>>;
  faults: string[];
}

const repository = join(import.meta.dirname, "../..");
const { buildAreaGraph } = (await import(join(repository, "scripts/check-areas.mjs"))) as {
  buildAreaGraph: (files: string[], read: (file: string) => string) => Graph;
};

const buildGraph = (sources: Record<string, string>) =>
  buildAreaGraph(Object.keys(sources), (file) => sources[file] ?? "");

test("counts imports of lower areas, including types and import()", () => {
  const { counts, faults } = buildGraph({
    "api/licensing/licences/licence.ts": 'import type { User } from "#api/people/users/user.ts";',
    "api/licensing/devices/device.ts": 'export const user = () => import("#api/people/users/user.ts");',
    "api/licensing/devices/deactivate.ts": 'export { device } from "./device.ts";',
  });
  expect(faults).toEqual([]);
  expect(counts).toEqual({ api: { licensing: { people: 2 } } });
});

test.each([
  [
    "an upward import",
    { "api/people/users/user.ts": 'import { licence } from "#api/licensing/licences/licence.ts";' },
    "api/people/users/user.ts imports api/licensing/licences/licence.ts: people is below licensing.",
  ],
  [
    "a cycle",
    {
      "web/people/users/user.ts": 'export { card } from "#web/staff/users/card.ts";',
      "web/staff/users/card.ts": 'export { user } from "#web/people/users/user.ts";',
    },
    "web: people → staff → people is a cycle.",
  ],
  [
    "a file outside every area",
    { "api/warehouse/shelves/shelf.ts": "" },
    "api/warehouse/shelves/shelf.ts is in no area: put it in api/<area>/<noun>/ (scripts/lint/areas.mjs).",
  ],
  [
    "a test outside every area",
    { "tests/warehouse/shelf.unit.test.ts": "" },
    "tests/warehouse/shelf.unit.test.ts is in no area: put it in tests/<area>/<noun>/ (scripts/lint/areas.mjs).",
  ],
])("reports %s", (_fault, sources, sentence) => {
  expect(buildGraph(sources).faults).toContain(sentence);
});
