import { join } from "node:path";
import { expect, test } from "vitest";

interface Pattern {
  source: string;
  flags: string;
  place: string;
}
const { findFault, listPatterns } = (await import(join(import.meta.dirname, "../../scripts/check-patterns.mjs"))) as {
  listPatterns: (file: string, text: string) => Pattern[];
  findFault: (pattern: Pattern) => string | null;
};

test("the check of patterns finds those that take more than linear time", () => {
  const text = 'const one = /a+$/;\nconst two = new RegExp("^(a+)+b$", "u");\nconst three = /^a+$/;';
  expect(listPatterns("api/x.ts", text).map(findFault)).toEqual([
    "api/x.ts:1: /a+$/ is 2nd degree polynomial",
    "api/x.ts:2: /^(a+)+b$/u is exponential",
    null,
  ]);
});
