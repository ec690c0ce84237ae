import { describe, expect, test } from "vitest";
import { australianStates } from "#schema/rules/address.ts";
import localities from "#api/features/addresses/australian-localities.json" with { type: "json" };
import { embeddedLocalities } from "#api/features/addresses/embedded-localities.ts";

const labelsFor = async (text: string, country = "Australia") =>
  (await embeddedLocalities.suggest(text, country)).map(({ label }) => label);

test.each([
  ["4000", "Brisbane City QLD 4000"],
  ["bris", "Brisbane City QLD 4000"],
  ["BRISBANE C", "Brisbane City QLD 4000"],
  ["fort val", "Fortitude Valley QLD 4006"],
  ["valley 4006", "Fortitude Valley QLD 4006"],
  ["sydney", "Sydney NSW 2000"],
  ["2150", "Parramatta NSW 2150"],
  ["melb", "Melbourne VIC 3000"],
  ["oconnor", "O'Connor ACT 2602"],
  ["o’connor", "O'Connor ACT 2602"],
  ["saint kilda", "St Kilda VIC 3182"],
  ["mt isa", "Mount Isa QLD 4825"],
  ["0870", "Alice Springs NT 0870"],
  ["richmond vic", "Richmond VIC 3121"],
  ["12 Eagle Street, brisb", "Brisbane City QLD 4000"],
  ["12 Eagle Street, Brisbane City,", "Brisbane City QLD 4000"],
])("%j finds %s first", async (text, label) => {
  expect((await labelsFor(text))[0]).toBe(label);
});

test("names that begin with the words stand before names that have them further on", async () => {
  const labels = await labelsFor("perth");
  expect(labels[0]).toBe("Perth WA 6000");
  expect(labels).toContain("East Perth WA 6004");
});

test.each(["xyzzy", "99", " , ", "((", "'"])("%j finds nothing", async (text) => {
  expect(await labelsFor(text)).toEqual([]);
});

test("at most eight are given, and none for other countries", async () => {
  expect(await labelsFor("s")).toHaveLength(8);
  expect(await labelsFor("4000", "New Zealand")).toEqual([]);
});

test("a chosen one is found again by its id", async () => {
  const [first] = await embeddedLocalities.suggest("bris", "Australia");
  expect(await embeddedLocalities.find(first?.id ?? "")).toEqual(first?.parts);
  expect(await embeddedLocalities.find("au:QLD:4000:Atlantis")).toBeNull();
});

describe("the list", () => {
  // Ranges of Australia Post; the ACT lies within those of New South Wales.
  const ranges: Record<string, RegExp> = {
    ACT: /^(26|29)\d\d$/,
    NSW: /^2\d{3}$/,
    NT: /^08\d\d$/,
    QLD: /^4\d{3}$/,
    SA: /^5\d{3}$/,
    TAS: /^7\d{3}$/,
    VIC: /^3\d{3}$/,
    WA: /^6\d{3}$/,
  };

  test("has each locality once, with a post code of its state, in every state", () => {
    expect(localities.length).toBeGreaterThan(800);
    expect(new Set(localities.map((row) => row.join())).size).toBe(localities.length);
    for (const [city = "", state = "", postCode = ""] of localities) {
      expect(city).toMatch(/^[A-Z]/);
      expect([city, postCode]).toEqual([city, expect.stringMatching(ranges[state] ?? /^never$/)]);
    }
    expect(new Set(localities.map((row) => row[1]))).toEqual(new Set(australianStates));
  });
});
