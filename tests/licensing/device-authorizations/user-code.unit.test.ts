import { expect, test } from "vitest";
import {
  generateUserCode,
  parseUserCode,
  formatUserCode,
} from "#api/licensing/device-authorizations/request-device-authorization.ts";

test("generates eight consonants and parses them in any case, with spaces and dashes", () => {
  for (let n = 0; n < 500; n++) {
    const code = generateUserCode();
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
    const shown = formatUserCode(code);
    expect(shown).toMatch(/^\w{4}-\w{4}$/);
    for (const typed of [shown, code, shown.toLowerCase(), ` ${code.split("").join(" ")} `, shown.replace("-", " — ")])
      expect(parseUserCode(typed)).toBe(code);
  }
});

test.each(["", "BCDF", "BCDFGHJKL", "BCDF-GHJA", "BCDF-GH1J", "BCDF\u0000GHJK", "ВCDF-GHJK"])("rejects %j", (typed) => {
  expect(parseUserCode(typed)).toBeNull();
});
