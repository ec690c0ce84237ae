import { expect, test } from "vitest";
import { statesByCountry } from "#schema/countries.ts";
import localities from "#api/people/addresses/australian-localities.json" with { type: "json" };
import { embeddedLocalities } from "#api/people/addresses/embedded-localities.ts";
import { buildLocalities, toTitleCase } from "../../../scripts/australian-localities.ts";

const suggestLabels = async (text: string, country = "Australia") =>
  (await embeddedLocalities.suggest(text, country)).map(({ label }) => label);

const firstLabels = [
  ["4000", "Brisbane QLD 4000"],
  ["bris", "Brisbane QLD 4000"],
  ["mount gra", "Mount Gravatt QLD 4122"],
  ["me", "Melbourne VIC 3000"],
  ["pe", "Perth WA 6000"],
  ["can", "Canberra ACT 2600"],
  ["4122 mount gra", "Mount Gravatt QLD 4122"],
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
  ["12 Eagle Street, brisb", "Brisbane QLD 4000"],
  ["12 Eagle Street, Brisbane City,", "Brisbane City QLD 4000"],
] as const;

test("suggests the best locality first", async () => {
  for (const [text, label] of firstLabels) expect((await suggestLabels(text))[0], text).toBe(label);
});

const streets = [
  ["120 Eagle Street Brisbane", "Brisbane QLD 4000", ["", "120", "Eagle Street"]],
  ["120 Eagle Street Brisbane City QLD 4000", "Brisbane City QLD 4000", ["", "120", "Eagle Street"]],
  ["3/120 Eagle Street Brisb", "Brisbane QLD 4000", ["3", "120", "Eagle Street"]],
  ["Unit 3, 120-122 Eagle Street, Brisbane", "Brisbane QLD 4000", ["3", "120-122", "Eagle Street"]],
  ["12a Queen St Kilda", "St Kilda VIC 3182", ["", "12a", "Queen"]],
  ["4 Brisbane Road Ipswich", "Ipswich QLD 4305", ["", "4", "Brisbane Road"]],
  ["7 4th Avenue Sydney", "Sydney NSW 2000", ["", "7", "4th Avenue"]],
  ["Eagle Street Brisbane", "Brisbane QLD 4000", ["", "", "Eagle Street"]],
  ["brisbane", "Brisbane QLD 4000", ["", "", ""]],
] as const;

test("keeps the street in front of a locality", async () => {
  for (const [text, label, street] of streets) {
    const [first] = await embeddedLocalities.suggest(text, "Australia");
    expect(first?.label, text).toBe(label);
    expect([first?.parts?.unitNumber, first?.parts?.streetNumber, first?.parts?.streetName], text).toEqual(street);
  }
});

test("lists names that begin with the typed words before other names", async () => {
  expect((await suggestLabels("mount gravatt")).join(", ")).toBe(
    "Mount Gravatt QLD 4122, Mount Gravatt East QLD 4122, Upper Mount Gravatt QLD 4122, Upper Mount Gravatt BC QLD 4122",
  );
  const labels = await suggestLabels("isa");
  expect(labels.indexOf("Isaac QLD 4721")).toBeLessThan(labels.indexOf("Mount Isa QLD 4825"));
});

test("finds no locality in streets and in odd texts", async () => {
  const texts = ["120 Eagle Street", "120 Eagle St", "12 Ann Road", "xyzzy", "98", " , ", "((", "'", "\uffff"];
  for (const text of [...texts, "a".repeat(100), "__proto__", "4000 0800"])
    expect(await suggestLabels(text), text).toEqual([]);
});

test("returns at most eight localities and none for other countries", async () => {
  expect(await suggestLabels("s")).toHaveLength(8);
  expect(await suggestLabels("4000", "New Zealand")).toEqual([]);
});

test("finds a suggestion by its id", async () => {
  const [first] = await embeddedLocalities.suggest("bris", "Australia");
  expect(await embeddedLocalities.find(first?.id ?? "")).toEqual(first?.parts);
  expect(await embeddedLocalities.find("au:QLD:4000:Atlantis")).toBeNull();
});

// Post code ranges of Australia Post. The range of the ACT is part of the range of New South Wales.
const ranges: Record<string, RegExp> = {
  ACT: /^(02|26|29)\d\d$/,
  NSW: /^[12]\d{3}$/,
  NT: /^0[89]\d\d$/,
  QLD: /^[49]\d{3}$/,
  SA: /^5\d{3}$/,
  TAS: /^7\d{3}$/,
  VIC: /^[38]\d{3}$/,
  WA: /^6\d{3}$/,
};

test("the list has every locality once, with a post code from its state's range except near borders", () => {
  expect(localities.length).toBeGreaterThan(18_000);
  expect(new Set(localities.map((row) => row.join())).size).toBe(localities.length);
  for (const [city, , postCode] of localities) {
    expect(city).toMatch(/^[A-Z]/);
    expect(postCode).toMatch(/^\d{4}$/);
  }
  const outsideState = localities.filter(([, state = "", postCode = ""]) => !ranges[state]?.test(postCode));
  expect(outsideState.length).toBeLessThan(localities.length / 100);
  expect(new Set(localities.map((row) => row[1]))).toEqual(
    new Set(statesByCountry.Australia?.map(({ value }) => value)),
  );
});

const row = (locality: string, changes: Record<string, string> = {}) => ({
  locality,
  state: "QLD",
  postcode: "4000",
  type: "Delivery Area",
  sa3name: "",
  sa4name: "",
  lgaregion: "",
  MMM_2019: "1",
  ...changes,
});
const listNames = (rows: ReturnType<typeof row>[]) => buildLocalities(rows).map(([name]) => name);

const names = [
  ["BRISBANE CITY", "Brisbane City"],
  ["O’CONNOR", "O'Connor"],
  ["D'AGUILAR", "D'Aguilar"],
  ["MCDOWALL", "McDowall"],
  ["ISLE OF CAPRI", "Isle of Capri"],
  ["THE GAP", "The Gap"],
  ["BRISBANE GPO", "Brisbane GPO"],
  ["ERNABELLA (PUKATJA)", "Ernabella (Pukatja)"],
  ["NO. 4 BRANCH", "No. 4 Branch"],
  ["Coolalinga", "Coolalinga"],
] as const;

test("converts names to title case", () => {
  expect(names.map(([name]) => toTitleCase(name))).toEqual(names.map(([, shown]) => shown));
});

test("orders cities before suburbs, suburbs before hamlets, and post office boxes last", () => {
  const suburbs = Array.from({ length: 30 }, (_, at) => row(`SUBURB ${at}`, { lgaregion: "Ipswich" }));
  const names = listNames([
    row("BRISBANE", { type: "LVR", postcode: "4001" }),
    row("ARARAT", { MMM_2019: "5" }),
    row("ANNERLEY"),
    row("IPSWICH", { MMM_2019: "2" }),
    ...suburbs,
    row("BRISBANE"),
  ]);
  expect(names.slice(0, 3)).toEqual(["Brisbane", "Ipswich", "Annerley"]);
  expect(names.slice(-2)).toEqual(["Ararat", "Brisbane"]);
});

test("lists a place once regardless of spelling and skips entries with two joined names", () => {
  expect(listNames([row("BRISBANE CITY"), row("BRISBANE-CITY"), row("Glen InnesLAMBTON")])).toEqual(["Brisbane City"]);
});
