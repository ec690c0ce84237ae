import { describe, expect, test } from "vitest";
import { isCommonPassword, isPersonalPassword } from "#schema/rules/common-passwords.ts";

describe("isCommonPassword", () => {
  test.each([
    "password1",
    "Password1",
    "PASSWORD123",
    "P@ssw0rd1",
    "Pa$$w0rd123",
    "Password1!",
    "!password1!",
    "passw0rd",
    "qwerty123",
    "Qwerty123!",
    "1q2w3e4r",
    "12345678",
    "1234567890",
    "87654321",
    "34567890",
    "11111111",
    "aaaaaaa1",
    "12121212",
    "abc12345",
    "letmein1",
    "Welcome1",
    "iloveyou2",
    "admin123",
    "p455w0rd",
    "ｐａｓｓｗｏｒｄ１",
  ])("recognises %s as common", (password) => expect(isCommonPassword(password)).toBe(true));

  test.each([
    "Planner-2024",
    "Demo-pass-1",
    "Analytical-1843",
    "correct horse battery 1",
    "my password is 7 apples",
    "k3!Vq9-zT",
    "パスワード長い1",
    "9999kahuna",
  ])("doesn't recognise %s as common", (password) => expect(isCommonPassword(password)).toBe(false));
});

describe("isPersonalPassword", () => {
  const ada = { email: "ada.byron@example.com", firstName: "Augusta", lastName: "Byron-King" };

  test.each([
    "ada.byron@example.com",
    "Ada.Byron@example.com1",
    "adabyron1815",
    "Augusta1815",
    "augusta-byron-1815",
    "Byron2024!",
    "ByronKing1815",
    "Augusta-1",
    "XER-Solutions-1",
    "xerbridge2024",
    "Byron-password1",
  ])("recognises %s as personal", (password) => expect(isPersonalPassword(password, ada)).toBe(true));

  test.each(["Byron-and-9-other-poets", "Planner-2024", "Kings-cross-99", "ada-schedules-7-bars"])(
    "doesn't recognise %s as personal",
    (password) => expect(isPersonalPassword(password, ada)).toBe(false),
  );

  test("recognises no password as personal if the owner is unknown or has a short name", () => {
    expect(isPersonalPassword("Byron2024!", {})).toBe(false);
    expect(isPersonalPassword("Boxer2024", { firstName: "Bo", lastName: "Xu", email: "bo@example.com" })).toBe(false);
  });
});
