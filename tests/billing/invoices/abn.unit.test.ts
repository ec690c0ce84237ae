import fc from "fast-check";
import { expect, test } from "vitest";
import { abn, isAbn } from "#schema/billing-details.ts";

test("accepts an ABN with a valid check sum, and formats it", () => {
  for (const number of ["51 824 753 556", "53004085616", "53-004-085-616", "83 914 571 673", "５１824753556"]) {
    expect(isAbn(number)).toBe(true);
    expect(abn().validateSync(number)).toMatch(/^\d\d( \d{3}){3}$/);
  }
  expect([abn().validateSync(""), abn().validateSync(undefined)]).toEqual(["", undefined]);
  const wrong = ["51 824 753 557", "5182475355", "518247535560", "00 000 000 000", "ABN 51 824 753 556"];
  for (const number of wrong)
    expect(() => abn().validateSync(number)).toThrow("Invalid Australian business number format.");
});

test("rejects an ABN with one wrong digit", () => {
  const valid = fc.constantFrom("51824753556", "53004085616", "83914571673");
  fc.assert(
    fc.property(valid, fc.nat(10), fc.integer({ min: 1, max: 9 }), (number, place, by) => {
      const digit = (Number(number[place]) + by) % 10;
      expect(isAbn(number.slice(0, place) + digit + number.slice(place + 1))).toBe(false);
    }),
  );
});
