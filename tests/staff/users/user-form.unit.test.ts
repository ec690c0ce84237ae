import { expect, test } from "vitest";
import { blockMachineRules, createUserRules, updateUserRules } from "#schema/user.ts";
import { check } from "#api/platform/validate.ts";
import { buildRegistration } from "#tests/factories/user.ts";
import { getFieldErrors as getErrors, listFieldErrors } from "#tests/support/field-errors.ts";

const user = (changes: Record<string, unknown> = {}) => ({
  ...buildRegistration(),
  memberType: 1,
  annualDeactivationLimit: 3,
  ...changes,
});

/** Names, addresses and phone numbers have the rules of a registration, which `account-rules.unit.test.ts` tests. */
const cases: [field: string, value: unknown, message: string | null][] = [
  ["firstName", "A", "First name must have at least 2 characters."],
  ["lastName", undefined, "Last name is required."],
  ["memberType", undefined, "Member type is required."],
  ["memberType", "", "Member type is required."],
  ["memberType", 0, "Member type is required."],
  ["memberType", 4, "Member type is required."],
  ["memberType", "three", "Member type is required."],
  ["memberType", 3, null],
  ["memberType", "2", null],
  ["companyName", "", null],
  ["companyName", "x".repeat(101), "Must be at most 100 characters."],
  ["position", undefined, null],
  ["email", "", "Email is required."],
  ["email", "ada@", "Invalid email address"],
  ["mobile", "", "Mobile is required."],
  ["streetNumber", "", "Street number is required."],
  ["streetName", "", "Street name is required."],
  ["city", "", "City is required."],
  ["state", "XX", "State must be one of ACT, NSW, NT, QLD, SA, TAS, VIC, WA."],
  ["country", "", "Country is required."],
  ["unitNumber", undefined, null],
  ["postCode", "400", "Invalid Australian post code."],
  ["annualDeactivationLimit", -1, "Must be greater than 0."],
  ["annualDeactivationLimit", 0, null],
  ["annualDeactivationLimit", 1000, null],
  ["annualDeactivationLimit", 1001, "Must be less than 1000."],
  ["annualDeactivationLimit", 2.5, "Must be a whole number."],
  ["annualDeactivationLimit", "many", "Must be a number."],
  ["isTester", "yes", "Must be true or false."],
  ["issuedW8Form", 1, "Must be true or false."],
  ["referrer", "x".repeat(201), "Must be at most 200 characters."],
  ["referrer", "a\u0000b", "Contains characters that are not allowed."],
];

test("have a message for each field, when creating and updating", () => {
  for (const rules of [createUserRules, updateUserRules])
    expect(listFieldErrors(rules as typeof updateUserRules, user(), cases)).toEqual(cases);
});

test("defaults the deactivation limit when creating and requires it when updating", () => {
  expect(check(createUserRules, user({ annualDeactivationLimit: undefined })).annualDeactivationLimit).toBe(3);
  const message = { annualDeactivationLimit: ["Annual deactivation limit is required."] };
  expect(getErrors(updateUserRules, user({ annualDeactivationLimit: undefined }))).toEqual(message);
  expect(getErrors(updateUserRules, user({ annualDeactivationLimit: "" }))).toEqual(message);
});

test("ignore a password, which only its owner types", () => {
  for (const password of ["Plan-12", "", null, {}])
    expect(check(createUserRules, user({ password, confirmPassword: "Other-2024" }))).not.toHaveProperty("password");
});

test("depend on the country and check ABNs when updating", () => {
  for (const [country, postCode, state, expected] of [
    ["United States", "9021", "CA", { postCode: ["Invalid US post code."] }],
    ["New Zealand", "6", "Wellington", {}],
  ] as const)
    expect(getErrors(updateUserRules, user({ country, postCode, state }))).toEqual(expected);
  for (const abn of ["", "51 824 753 556", "51824753556"])
    expect(getErrors(updateUserRules, user({ abn }))).toEqual({});
  for (const abn of ["51 824 753 55", "51 824 753 557"])
    expect(getErrors(updateUserRules, user({ abn }))).toEqual({ abn: ["Invalid Australian business number format."] });
  expect(check(updateUserRules, user({ abn: "51824753556" })).abn).toBe("51 824 753 556");
});

const machines = (...names: unknown[]) => user({ blockedMachines: names.map((machineName) => ({ machineName })) });

test("limit the names of blocked machines", () => {
  const named = (count: number) => machines(...Array.from({ length: count }, (_, n) => `M-${n}`));
  const name = "blockedMachines[0].machineName";
  for (const [values, expected] of [
    [machines(""), { [name]: ["Machine name is required."] }],
    [machines("x".repeat(200)), {}],
    [machines("x".repeat(201)), { [name]: ["Must be at most 200 characters."] }],
    [machines("bne-1", " BNE-1 "), { blockedMachines: ["The list contains the same machine name twice."] }],
    [machines("BNE-1|one", "BNE-1|two"), {}],
    [named(500), {}],
    [named(501), { blockedMachines: ["At most 500 machines can be blocked."] }],
    [user({ blockedMachines: "BNE-1" }), { blockedMachines: ["Must be a list of machines."] }],
  ] as const)
    expect(getErrors(updateUserRules, values)).toEqual(expected);
  expect(() => blockMachineRules.validateSync({ machineName: "  " })).toThrow("Machine name is required.");
});
