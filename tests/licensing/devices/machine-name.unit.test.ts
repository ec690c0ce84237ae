import { expect, test } from "vitest";
import { formatMachineName, listComparedNames, normaliseMachineName } from "#schema/machine-name.ts";

test.each([
  ["PLANNING-07", "PLANNING-07"],
  ["PLANNING-07|planning.local", "PLANNING-07"],
  ["PLANNING-07 | planning | local", "PLANNING-07"],
  ["|planning.local", "|planning.local"],
  ["", ""],
])("displays %j as %j", (machineName, shown) => {
  expect(formatMachineName(machineName)).toBe(shown);
});

test("compares names in one width and with one kind of dash, as staff paste them", () => {
  for (const blocked of ["PC–07", "ＰＣ－０７", "pc\u201107\u200b"])
    expect(listComparedNames("PC-07")).toContain(normaliseMachineName(blocked));
});

test("compares the whole name and the part before |, in lower case", () => {
  expect(listComparedNames(" Planning-07|Site.Local ")).toEqual(["planning-07|site.local", "planning-07"]);
  expect(listComparedNames("PLANNING-07")).toEqual(["planning-07"]);
});
