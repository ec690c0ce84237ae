import { describe, expect, test } from "vitest";
import { userSearchQuery } from "#api/staff/users/list-users-statement.ts";
import { searchParts } from "#schema/search-terms.ts";

describe("a search as PostgreSQL takes it", () => {
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
  ])("%s", (search, query) => {
    expect(userSearchQuery(search)).toBe(query);
  });

  test("nothing but punctuation looks for nothing", () => {
    expect(userSearchQuery(' "" - \\ ')).toBeNull();
    expect(searchParts("")).toEqual([]);
  });
});
