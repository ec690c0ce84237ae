import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sets } from "../../tools/mutation/sets.ts";
import { faults } from "./faults.ts";
import { findTableFaults } from "./find-table-faults.ts";

const root = join(import.meta.dirname, "../..");

test("each planted fault can still be planted, and names tests that run", () => {
  expect(findTableFaults(root)).toEqual([]);
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});

test("each file of the mutation sets exists", () => {
  const named = Object.values(sets).flatMap(({ mutate, tests }) => [...mutate, ...tests]);
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
