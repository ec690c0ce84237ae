import { expect, test } from "vitest";
import { check } from "#api/platform/validate.ts";
import { getFieldErrors } from "#tests/support/field-errors.ts";
import { addLicenceRules, updateLicenceRules, updateProjectLicenceRules } from "#schema/licence.ts";

const licence = (changes: Record<string, unknown> = {}) => ({
  licenceActivationType: 0,
  numberOfUsers: 1,
  numberOfMachines: 1,
  productLevel: 2,
  licenceType: 1,
  licenceCategory: 1,
  expiryDate: "2027-11-21",
  ...changes,
});

const added = (changes: Record<string, unknown>) => getFieldErrors(addLicenceRules, licence(changes));

test("a new licence has defaults for fields missing from the form", () => {
  expect(check(addLicenceRules, licence())).toMatchObject({
    limitFloatingLeasePeriodToHours: 0,
    floatingHeartBeatIntervalMinutes: 15,
    allowOnVms: false,
  });
});

const required = [
  ["licenceActivationType", "Licence activation type is required."],
  ["numberOfUsers", "Number of users is required."],
  ["numberOfMachines", "Number of machines is required."],
  ["productLevel", "Product level is required."],
  ["licenceType", "Licence type is required."],
  ["licenceCategory", "Licence category is required."],
  ["expiryDate", "Expiry date is required."],
] as const;

test("rejects missing fields, null and fields left empty in the form", () => {
  for (const [field, sentence] of required)
    for (const value of [undefined, null, ...(field === "expiryDate" ? [] : [""])])
      expect(added({ [field]: value })).toEqual({ [field]: [sentence] });
});

const bounds = [
  ["numberOfUsers", {}, 1, 1_000],
  ["numberOfMachines", {}, 1, 1_000],
  ["limitFloatingLeasePeriodToHours", { licenceActivationType: 1 }, 1, 24],
  ["limitFloatingLeasePeriodToHours", { licenceActivationType: 2 }, 0, 24],
  ["floatingHeartBeatIntervalMinutes", { licenceActivationType: 2 }, 1, 60],
] as const;

test("accepts whole numbers within the bounds of a field, and requires a lease period for the old floating type", () => {
  for (const [field, type, min, max] of bounds) {
    const set = (value: unknown) => added({ ...type, [field]: value });
    for (const fine of [min, max, String(min), `${min}.0`, String(max).replaceAll("4", "４").replaceAll("6", "٦")])
      expect(set(fine), field).toEqual({});
    expect(set(min - 1)).toEqual({ [field]: [`Must be at least ${min}.`] });
    expect(set(max + 1)).toEqual({ [field]: [`Must be at most ${max}.`] });
    expect(set(min + 0.5)).toEqual({ [field]: ["Must be a whole number."] });
    for (const text of ["many", "1e1", "0x10", "0b1", "1 2"])
      expect(set(text)).toEqual({ [field]: ["Must be a number."] });
  }
  expect(added({ licenceActivationType: 1 })).toEqual({ limitFloatingLeasePeriodToHours: ["Must be at least 1."] });
});

test("rejects a number that is not in the field's list", () => {
  const fields = ["licenceActivationType", "productLevel", "licenceType", "licenceCategory"];
  for (const field of fields) expect(added({ [field]: 77 })).toEqual({ [field]: ["Please choose one of the list."] });
});

test("requires a project term only for the type Project", () => {
  const sentence = { projectTerm: ["Project term is required."] };
  expect(added({ licenceType: 4 })).toEqual(sentence);
  expect(added({ licenceType: "4", projectTerm: " " })).toEqual(sentence);
  expect(added({ licenceType: 4, projectTerm: "Cross River Rail, stage 2" })).toEqual({});
  expect(added({ licenceType: 3 })).toEqual({});
});

test("a new licence expires at the end of the given day, or at the given moment", () => {
  const end = (expiryDate: string) => check(addLicenceRules, licence({ expiryDate })).expiryDate.toISOString();
  expect(end("2027-11-21")).toBe("2027-11-21T23:59:59.999Z");
  expect(end("2027-11-21 10:30:00")).toBe("2027-11-21T10:30:00.000Z");
  expect(end("2027-11-21T10:30:00+10:00")).toBe("2027-11-21T00:30:00.000Z");
  for (const wrong of ["2027-02-30", "tomorrow", "21/11/2027", 5, {}])
    expect(added({ expiryDate: wrong })).toEqual({ expiryDate: ["Must be a date."] });
});

const change = (changes: Record<string, unknown> = {}) => ({
  licenceCategory: 2,
  expiryDate: "2027-11-21",
  ...changes,
});

test("a changed licence requires expiry date and category", () => {
  expect(getFieldErrors(updateLicenceRules, {})).toEqual({
    licenceCategory: ["Licence category is required."],
    expiryDate: ["Expiry date is required."],
  });
  expect(getFieldErrors(updateLicenceRules, change())).toEqual({});
});

test("a changed licence requires a project term for a project licence", () => {
  expect(getFieldErrors(updateProjectLicenceRules, change({ projectTerm: "" }))).toEqual({
    projectTerm: ["Project term is required."],
  });
  expect(getFieldErrors(updateProjectLicenceRules, change({ projectTerm: "Stage 3" }))).toEqual({});
});
