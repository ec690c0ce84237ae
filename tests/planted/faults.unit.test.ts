import { join } from "node:path";
import { expect, test } from "vitest";
import { faults } from "./faults.ts";
import { findTableFaults } from "./find-table-faults.ts";

test("each planted fault can still be planted, and names tests that run", () => {
  expect(findTableFaults(join(import.meta.dirname, "../.."))).toEqual([]);
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});
