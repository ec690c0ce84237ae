import { join } from "node:path";
import { expect, test } from "vitest";

interface Graph {
  counts: Record<string, Record<string, Record<string, number>>>;
  faults: string[];
}

const repository = join(import.meta.dirname, "../..");
const { areaGraph } = (await import(join(repository, "scripts/check-areas.mjs"))) as {
  areaGraph: (files: string[], read: (file: string) => string) => Graph;
};

const graphOf = (sources: Record<string, string>) => areaGraph(Object.keys(sources), (file) => sources[file] ?? "");

test("counts imports of lower areas, of types and by import() too", () => {
  const { counts, faults } = graphOf({
    "api/licensing/licences/licence.ts": 'import type { User } from "#api/people/users/user.ts";',
    "api/licensing/devices/device.ts": 'export const user = () => import("#api/people/users/user.ts");',
    "api/licensing/devices/free.ts": 'export { device } from "./device.ts";',
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
    "a file in no area",
    { "api/warehouse/shelves/shelf.ts": "" },
    "api/warehouse/shelves/shelf.ts is in no area: put it in api/<area>/<noun>/ (scripts/lint/areas.mjs).",
  ],
  [
    "a test in no area",
    { "tests/warehouse/shelf.unit.test.ts": "" },
    "tests/warehouse/shelf.unit.test.ts is in no area: put it in tests/<area>/<noun>/ (scripts/lint/areas.mjs).",
  ],
])("reports %s", (_fault, sources, sentence) => {
  expect(graphOf(sources).faults).toContain(sentence);
});
