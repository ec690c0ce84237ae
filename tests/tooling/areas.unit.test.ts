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
  ["api/warehouse/shelves/shelf.ts", "api"],
  ["tests/warehouse/shelf.unit.test.ts", "tests"],
])("reports %s, which is outside every area", (file, part) => {
  expect(buildGraph({ [file]: "" }).faults).toEqual([
    `${file} is in no area: put it in ${part}/<area>/<noun>/ (scripts/lint/areas.mjs).`,
  ]);
});
