import fc from "fast-check";
import { expect, test } from "vitest";
import { abn, isAbn } from "#schema/rules/invoice.ts";

test.each(["51 824 753 556", "53004085616", "53-004-085-616", "83 914 571 673"])("accepts the ABN %s", (number) => {
  expect(isAbn(number)).toBe(true);
  expect(abn().validateSync(number)).toMatch(/^\d\d( \d{3}){3}$/);
});

test.each(["51 824 753 557", "5182475355", "518247535560", "00 000 000 000", "ABN 51 824 753 556", "５１824753556"])(
  "rejects the ABN %s",
  (number) => {
    expect(isAbn(number)).toBe(false);
    expect(() => abn().validateSync(number)).toThrow("Invalid Australian business number format.");
  },
);

test("accepts an empty ABN", () => {
  expect(abn().validateSync("")).toBe("");
  expect(abn().validateSync(undefined)).toBeUndefined();
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
