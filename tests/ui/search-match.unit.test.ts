import { expect, test } from "vitest";
import { createSearchMatcher } from "#web/platform/search-match.ts";

const texts = ["Plan Bridge Professional", "Zoë O'Brien", "+61 412 345 678"];
const row = [...texts, "08/11/2026", "A$1,045.50", "DESKTOP-7F3|ada"];

test("finds a row by the start of words and numbers in any order, and by quoted whole words", () => {
  const matching =
    '|   |prof|PROF bri|bridge plan|zoe|Zoë|\ufeffzo\u00ade|ｐｒｏｆ ４１２|brien|o\'b|"bridge"|"Plan Bridge"|"professional" zoe|"bridge|412|412345|0811|' +
    '08/11|08112026|1045|1,045.50|"08112026"|desktop|7f3|ada|+6141 2345|' +
    '$1,045|"$1,045.50"|bridge, plan|plan - bridge|(prof|“bridge”|o’b|412–345‑678';
  const others = 'ridge|rofessional|prof standard|"prof"|"bridge plan"|“prof”|1234|2345|"0811"|11082026|+6141 999|$$$';
  expect(matching.split("|").filter((query) => !createSearchMatcher(query)(row))).toEqual([]);
  expect(others.split("|").filter((query) => createSearchMatcher(query)(row))).toEqual([]);
});
