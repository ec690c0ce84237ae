import { expect, test } from "vitest";
import { buildLocalities, toTitleCase } from "../../../scripts/australian-localities.ts";

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
