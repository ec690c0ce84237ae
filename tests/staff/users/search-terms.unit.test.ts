import { describe, expect, test } from "vitest";
import { toUserSearchQuery } from "#api/staff/users/list-users-statement.ts";
import { parseSearch } from "#schema/search.ts";

describe("search query for PostgreSQL", () => {
  test.each([
    ["ada byr", "'ada':* & 'byr':*"],
    ['"ada byron"', "'ada' <-> 'byron'"],
    ['ada "by', "'ada':* & 'by'"],
    ["Zoë O'Brien", "'zoe':* & 'o' <-> 'brien':*"],
    ["0412-345", "('0412' <-> '345':* | '0412345':*)"],
    ["0412 345 678", "(('0412':* & '345':* & '678':*) | '0412345678':*)"],
    ['"0412 345"', "('0412' <-> '345' | '0412345')"],
    ["ada 04 12", "'ada':* & (('04':* & '12':*) | '0412':*)"],
    ["x'); drop table users --", "'x':* & 'drop':* & 'table':* & 'users':*"],
  ])("converts %j to %j", (search, query) => {
    expect(toUserSearchQuery(search)).toBe(query);
  });

  test("returns null for text without words", () => {
    expect(toUserSearchQuery(' "" - \\ ')).toBeNull();
    expect(parseSearch("")).toEqual([]);
  });
});
