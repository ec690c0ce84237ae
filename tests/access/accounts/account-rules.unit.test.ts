import { expect, test } from "vitest";
import { check } from "#api/platform/validate.ts";
import { isCommonPassword, isPersonalPassword } from "#schema/password.ts";
import {
  changeEmailRules,
  changePasswordRules,
  forgotPasswordRules,
  profileRules,
  registerFormRules,
  registerRules,
  resetPasswordRules,
} from "#schema/account.ts";
import { formatFullAddress } from "#schema/address-forms.ts";
import { countries } from "#schema/countries.ts";
import { createUserRules, updateUserRules } from "#schema/user.ts";
import { getFieldErrors } from "#tests/support/field-errors.ts";
import { buildRegistration } from "#tests/factories/user.ts";

const common = "This password is one of the first that attackers try. Please choose one that is harder to guess.";
const personal =
  "Your name, your company, your email address and our name are easy to guess and do not count. Please add at least 8 other characters.";

test("rejects each invalid field of a registration or profile, and accepts the rest", () => {
  const cases: [field: string, value: unknown, message: string | null][] = [
    ["firstName", "", "First name is required."],
    ["firstName", "A", "First name must have at least 2 characters."],
    ["firstName", "A".repeat(31), "First name is too long."],
    ["firstName", "A".repeat(30), null],
    ["lastName", undefined, "Last name is required."],
    ["firstName", "\u200b\u3164\u200b", "First name is required."],
    ["firstName", "Pat\u202egpj", "Contains characters that are not allowed."],
    ["firstName", `Z${"\u0301".repeat(40)}oe`, "Contains characters that are not allowed."],
    ["firstName", "👩‍👩‍👧‍👦".repeat(30), null],
    ["firstName", "👩‍👩‍👧‍👦", "First name must have at least 2 characters."],
    ["mobile", "", "Mobile is required."],
    ["mobile", "call me", "Invalid phone number."],
    ["mobile", "(07) 3000 0000", null],
    ["mobile", "((((((", "Invalid phone number."],
    ["mobile", "07 3000 0000 ext 12", null],
    ["position", "  ", "Position is required."],
    ["streetNumber", "", "Street number is required."],
    ["streetName", "", "Street name is required."],
    ["city", "", "City is required."],
    ["state", "", "State is required."],
    ["state", "Tassie", "State must be one of ACT, NSW, NT, QLD, SA, TAS, VIC, WA."],
    ["country", "", "Country is required."],
    ["postCode", "", "Post code is required."],
    ["postCode", "40000", "Invalid Australian post code."],
    ["companyName", "x".repeat(101), "Must be at most 100 characters."],
    ["companyName", "nul\u0000", "Contains characters that are not allowed."],
    ["companyName", { $ne: 1 }, "Must be text."],
    ["companyName", null, null],
    ["isTester", "yes", "Must be true or false."],
  ];
  for (const rules of [registerRules, profileRules])
    for (const [field, value, message] of cases) {
      const errors = getFieldErrors(rules, buildRegistration({ [field]: value })) as Record<string, string[]>;
      expect([field, value, Object.keys(errors)]).toEqual([field, value, message ? [field] : []]);
      if (message) expect(errors[field]).toContain(message);
    }
  for (const [rules, name] of [
    [registerRules, "First name"],
    [profileRules, "Last name"],
  ] as const) {
    const listLastNameErrors = (lastName: string) => getFieldErrors(rules, buildRegistration({ lastName }));
    expect(listLastNameErrors("B")).toEqual({ lastName: [`${name} must have at least 2 characters.`] });
    expect(listLastNameErrors("B".repeat(31))).toEqual({ lastName: [`${name} is too long.`] });
  }
  for (const trialIntent of ["yes", 1, {}])
    expect(getFieldErrors(registerRules, buildRegistration({ trialIntent }))).toEqual({
      trialIntent: ["Must be true or false."],
    });
  expect(getFieldErrors(registerFormRules, buildRegistration())).toEqual({
    acceptedTheTerms: ["Please accept the terms and conditions."],
  });
});

test("checks the post code of the United States and accepts any elsewhere, and stores codes of states in capitals", () => {
  const us = { country: "United States", state: "CA" };
  const wrong = { postCode: ["Invalid US post code."] };
  for (const [address, errors] of [
    [{ ...us, postCode: "9021" }, wrong],
    [{ ...us, postCode: "902100" }, wrong],
    [{ ...us, postCode: "90210" }, {}],
    [{ ...us, state: "California", postCode: "90210" }, {}],
    [{ country: "constructor" }, { country: [expect.stringContaining("Did you mean")] }],
    [{ country: "Japan", state: "東京都", postCode: "100-0001" }, {}],
  ] as const)
    expect(getFieldErrors(profileRules, buildRegistration(address))).toEqual(errors);
  const shorten = (changes: object) => check(profileRules, buildRegistration({ ...changes })).state;
  expect([shorten({ state: "qld" }), shorten({ ...us, state: "ca", postCode: "90210" })]).toEqual(["QLD", "CA"]);
  expect(shorten({ country: "Japan", state: "Mie" })).toBe("Mie");
  expect([shorten({ state: "queensland", country: "AU" }), shorten({ state: "Victoria" })]).toEqual(["QLD", "VIC"]);
  expect(shorten({ country: "Seychelles", state: "Victoria" })).toBe("Victoria");
});

test("requires a state and a post code where addresses have them", () => {
  const none = { state: "", postCode: "" };
  const [state, postCode] = [{ state: ["State is required."] }, { postCode: ["Post code is required."] }];
  for (const [country, errors] of [
    ["Australia", { ...state, postCode: ["Post code is required."] }],
    ["Samoa", { ...state, ...postCode }],
    ["Singapore", postCode],
    ["United Arab Emirates", state],
    ["Hong Kong", {}],
  ] as const)
    for (const rules of [registerRules, profileRules, createUserRules, updateUserRules]) {
      const found = getFieldErrors(rules, { country, ...none }) as Record<string, unknown>;
      expect({ country, state: found.state, postCode: found.postCode }).toEqual({ country, ...errors });
    }
  const { state: _state, postCode: _postCode, ...unsent } = buildRegistration({ country: "Hong Kong" });
  expect(check(registerRules, unsent)).toMatchObject(none);
});

test("accepts the line that forms make of the longest parts of an address", () => {
  const [short, long, postCode] = [30, 100, 20].map((length) => "x".repeat(length)) as [string, string, string];
  const street = { unitNumber: short, streetNumber: short, streetName: long };
  const country = countries.reduce((longest, name) => (name.length > longest.length ? name : longest));
  const address = { ...street, city: long, state: long, postCode, country };
  const values = buildRegistration({ ...address, fullAddress: formatFullAddress(address) });
  for (const rules of [registerRules, profileRules]) expect(getFieldErrors(rules, values)).toEqual({});
});

test("keeps names in every script and with markup, formulas and SQL unchanged", () => {
  for (const firstName of [
    "D'Arcy-O’Neil",
    "李小龙",
    "محمد بن",
    "Zoë 👩‍👩‍👧 🇦🇺",
    "Zoë Ña",
    "می‌خواهم क्‍ष",
    "<b>Ada</b>",
    "=1+1 @SUM",
    "Robert'); --",
  ])
    expect(check(registerRules, buildRegistration({ firstName })).firstName).toBe(firstName);
});

test("every form rejects the same email addresses", () => {
  const forms = [
    [registerRules, "Invalid email address"],
    [profileRules, "Invalid email address"],
    [forgotPasswordRules, "Invalid Email Address"],
    [changeEmailRules, "Invalid email."],
  ] as const;
  const invalid = [
    "not an address",
    "ada@",
    "ada@localhost",
    "ada@example.com\r\nBcc: all@example.com",
    "ada\n@example.com",
    "ada@example.com,all@example.com",
    "Ada <ada@example.com>",
    `${"x".repeat(243)}@example.com`,
    // 254 characters that become more in lower case.
    `${"İ".repeat(200)}@${"x".repeat(50)}.co`,
    "ada\u0000@example.com",
    "ada\u202e@example.com",
    "ada\ud800@example.com",
  ];
  const valid = [
    "ADA@EXAMPLE.COM",
    "a.d.a+tag@example.com",
    "o'brien!##$%&*/=?^_`{|}~-@example.com",
    "zoë@exämple.com",
    "用户@例子.公司",
    "ada@xn--exmple-cua.com",
    `${"x".repeat(242)}@example.com`,
  ];
  for (const [rules, message] of forms) {
    for (const email of invalid) {
      const errors = getFieldErrors(rules, buildRegistration({ email })) as { email?: string[] };
      expect([email, errors.email?.includes(message)]).toEqual([email, true]);
    }
    for (const email of valid)
      expect([email, getFieldErrors(rules, buildRegistration({ email }))]).toEqual([email, {}]);
    expect(getFieldErrors(rules, buildRegistration({ email: " " }))).toMatchObject({
      email: expect.arrayContaining(["Email is required."]),
    });
  }
});

test("every form rejects the same new passwords", () => {
  const others = { existingPassword: "Planner-tasks-47", resetToken: "x" };
  for (const rules of [registerRules, resetPasswordRules, changePasswordRules]) {
    const submit = (password: unknown, confirmPassword = password) =>
      getFieldErrors(rules, buildRegistration({ ...others, password, confirmPassword }));
    for (const [password, message] of [
      ["short1", "Password must have at least 8 characters."],
      ["no-number-here", "Must have a number."],
      ["Passw0rd!23", common],
      ["a1".repeat(65), "Password must have at most 128 characters."],
    ])
      expect(submit(password)).toEqual({ password: [message] });
    expect(submit("")).toMatchObject({ password: expect.arrayContaining(["Password is required."]) });
    expect(submit("Gantt-charts-44", "Other-pass-1")).toEqual({ confirmPassword: ["Passwords must match"] });
    expect(submit("Gantt-charts-44")).toEqual({});
  }
  const password = { password: "Byron1815", confirmPassword: "Byron1815" };
  expect(getFieldErrors(registerRules, buildRegistration(password))).toEqual({ password: [personal] });
});

test("requires the existing password as text of at most 1,000 characters", () => {
  for (const [existingPassword, message] of [
    ["", "Existing password is required."],
    [{ $ne: 1 }, "Must be text."],
    ["x1".repeat(501), "Password is too long."],
  ])
    expect(
      getFieldErrors(changePasswordRules, {
        existingPassword,
        password: "Gantt-charts-44",
        confirmPassword: "Gantt-charts-44",
      }),
    ).toEqual({ existingPassword: [message] });
});

test("recognises common passwords in any letter case, with replaced letters and with added characters", () => {
  const commonPasswords =
    "password1 Password1 PASSWORD123 P@ssw0rd1 Pa$$w0rd123 Password1! !password1! passw0rd qwerty123 Qwerty123! 1q2w3e4r 12345678 1234567890 87654321 34567890 11111111 aaaaaaa1 12121212 abc12345 letmein1 Welcome1 iloveyou2 admin123 p455w0rd ｐａｓｓｗｏｒｄ１";
  expect(commonPasswords.split(" ").filter((password) => !isCommonPassword(password))).toEqual([]);
  const others = [
    "Planner-tasks-47",
    "Demo-pass-1",
    "Analytical-1843",
    "correct horse battery 1",
    "my password is 7 apples",
    "k3!Vq9-zT",
    "パスワード長い1",
    "9999kahuna",
  ];
  expect(others.filter(isCommonPassword)).toEqual([]);
});

test("recognises passwords based on the owner's name, the owner's address or the product's name", () => {
  const ada = { email: "ada.byron@example.com", firstName: "Augusta", lastName: "Byron-King" };
  const own =
    "ada.byron@example.com Ada.Byron@example.com1 adabyron1815 Augusta1815 augusta-byron-1815 Byron2024! ByronKing1815 Augusta-1 Planvarro-Software-1 planvarro2024 Byron-password1";
  expect(own.split(" ").filter((password) => !isPersonalPassword(password, ada))).toEqual([]);
  const others = ["Byron-and-9-other-poets", "Planner-tasks-47", "Kings-cross-99", "ada-schedules-7-bars"];
  expect(others.filter((password) => isPersonalPassword(password, ada))).toEqual([]);
  expect(isPersonalPassword("Byron2024!", {})).toBe(false);
  expect(isPersonalPassword("Boxer2024", { firstName: "Bo", lastName: "Xu", email: "bo@example.com" })).toBe(false);
});
