import { describe, expect, test } from "vitest";
import { blockMachineRules, createUserRules, updateUserRules } from "#schema/rules/user-form.ts";
import { check } from "#api/platform/validate.ts";
import { AppError } from "#api/platform/errors.ts";
import { buildRegistration } from "#tests/factories/user.ts";

const user = (changes: Record<string, unknown> = {}) => ({
  ...buildRegistration(),
  memberType: 1,
  annualDeactivationLimit: 3,
  ...changes,
});

function getErrors(rules: typeof updateUserRules | typeof createUserRules, values: unknown): unknown {
  try {
    check(rules as typeof updateUserRules, values);
    return {};
  } catch (error) {
    return error instanceof AppError ? error.fields : error;
  }
}

const cases: [string, unknown, string | null][] = [
  ["firstName", undefined, "First name is required."],
  ["firstName", "A", "First name must have at least 2 characters."],
  ["firstName", "Al", null],
  ["firstName", "A".repeat(30), null],
  ["firstName", "A".repeat(31), "First name is too long."],
  ["lastName", undefined, "Last name is required."],
  ["lastName", "B", "First name must have at least 2 characters."],
  ["lastName", "By", null],
  ["lastName", "B".repeat(30), null],
  ["lastName", "B".repeat(31), "First name is too long."],
  ["memberType", undefined, "Member type is required."],
  ["memberType", "", "Member type is required."],
  ["memberType", 0, "Member type is required."],
  ["memberType", 4, "Member type is required."],
  ["memberType", "three", "Member type is required."],
  ["memberType", 3, null],
  ["memberType", "2", null],
  ["companyName", "", null],
  ["companyName", "x".repeat(100), null],
  ["companyName", "x".repeat(101), "Must be at most 100 characters."],
  ["position", undefined, null],
  ["email", "", "Email is required."],
  ["email", "ada@", "Invalid email address"],
  ["mobile", "", "Mobile is required."],
  ["mobile", "call me", "Invalid phone number."],
  ["streetNumber", "", "Street number is required."],
  ["streetName", "", "Street name is required."],
  ["city", "", "City is required."],
  ["state", "", "State is required."],
  ["state", "XX", "State is required."],
  ["state", "ACT", null],
  ["country", "", "Country is required."],
  ["unitNumber", undefined, null],
  ["postCode", "", "Post code is required."],
  ["postCode", "400", "Invalid Australian post code."],
  ["postCode", "40000", "Invalid Australian post code."],
  ["postCode", "4000", null],
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

describe.each([
  ["createUserRules", createUserRules],
  ["updateUserRules", updateUserRules],
] as const)("%s", (_, rules) => {
  test.each(cases)("validates %s %j: %j", (name, value, message) => {
    expect(getErrors(rules, user({ [name]: value }))).toEqual(message === null ? {} : { [name]: [message] });
  });
});

test("defaults the deactivation limit when creating and requires it when updating", () => {
  expect(check(createUserRules, user({ annualDeactivationLimit: undefined })).annualDeactivationLimit).toBe(3);
  const message = { annualDeactivationLimit: ["Annual deactivation limit is required."] };
  expect(getErrors(updateUserRules, user({ annualDeactivationLimit: undefined }))).toEqual(message);
  expect(getErrors(updateUserRules, user({ annualDeactivationLimit: "" }))).toEqual(message);
});

test.each([
  [undefined, ["Password is required."]],
  ["Plan-12", ["Password must have at least 8 characters."]],
  ["Planner-x", ["Must have a number."]],
])("rejects the password %j: %j", (password, messages) => {
  expect(getErrors(createUserRules, user({ password, confirmPassword: password ?? "" }))).toMatchObject({
    password: messages,
  });
});

test("requires matching passwords when creating a user and no password when updating one", () => {
  expect(getErrors(createUserRules, user({ confirmPassword: "Other-2024" }))).toEqual({
    confirmPassword: ["Passwords must match"],
  });
  expect(getErrors(updateUserRules, user({ password: undefined, confirmPassword: undefined }))).toEqual({});
});

test.each([
  ["Australia", "4000", "QLD", {}],
  ["United States", "9021", "CA", { postCode: ["Invalid US post code."] }],
  ["United States", "90210", "CA", {}],
  ["United States", "902100", "CA", { postCode: ["Invalid US post code."] }],
  ["New Zealand", "6", "Wellington", {}],
])("validates the post code for %s: %s", (country, postCode, state, expected) => {
  expect(getErrors(updateUserRules, user({ country, postCode, state }))).toEqual(expected);
});

test.each([
  ["", {}],
  ["51 824 753 556", {}],
  ["51824753556", {}],
  ["51 824 753 55", { abn: ["Invalid Australian business number format."] }],
  ["51 824 753 557", { abn: ["Invalid Australian business number format."] }],
])("validates the ABN %j when updating", (abn, expected) => {
  expect(getErrors(updateUserRules, user({ abn }))).toEqual(expected);
});

test("adds spaces to an ABN", () => {
  expect(check(updateUserRules, user({ abn: "51824753556" })).abn).toBe("51 824 753 556");
});

const machines = (...names: unknown[]) => user({ blockedMachines: names.map((machineName) => ({ machineName })) });

test.each([
  ["an empty name", machines(""), { "blockedMachines[0].machineName": ["Machine name is required."] }],
  ["a name of 200 characters", machines("x".repeat(200)), {}],
  [
    "a name of 201 characters",
    machines("x".repeat(201)),
    { "blockedMachines[0].machineName": ["Must be at most 200 characters."] },
  ],
  [
    "the same name twice, ignoring case",
    machines("bne-1", " BNE-1 "),
    { blockedMachines: ["The list contains the same machine name twice."] },
  ],
  ["the same name on two domains", machines("BNE-1|one", "BNE-1|two"), {}],
  ["500 names", machines(...Array.from({ length: 500 }, (_, n) => `M-${n}`)), {}],
  [
    "501 names",
    machines(...Array.from({ length: 501 }, (_, n) => `M-${n}`)),
    { blockedMachines: ["At most 500 machines can be blocked."] },
  ],
  ["no list", user({ blockedMachines: "BNE-1" }), { blockedMachines: ["Must be a list of machines."] }],
])("validates blocked machines: %s", (_, values, expected) => {
  expect(getErrors(updateUserRules, values)).toEqual(expected);
});

test("requires a machine name", () => {
  expect(() => blockMachineRules.validateSync({ machineName: "  " })).toThrow("Machine name is required.");
});

test("removes unknown fields", () => {
  const extra = { passwordHash: "x", archivedAt: "2020-01-01", emailConfirmed: true, twoStepSince: null, id: "x" };
  const { passwordHash: _, ...known } = check(updateUserRules, user(extra)) as Record<string, unknown>;
  expect(Object.keys(known)).not.toEqual(expect.arrayContaining(["archivedAt"]));
  for (const name of Object.keys(extra)) expect(name in known).toBe(false);
});
