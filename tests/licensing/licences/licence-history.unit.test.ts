import { expect, test } from "vitest";
import { messageOfResultCode, ResultCode, type ResultCodeName } from "#schema/catalogue.ts";
import { answerInWords, askedInWords, nextStepOfResultCode } from "#schema/licence-history.ts";

const codes = Object.keys(ResultCode) as ResultCodeName[];

test.each(codes.filter((code) => code !== "VALID"))("suggests a next step in a sentence after %s", (code) => {
  expect(nextStepOfResultCode[code]?.words).toMatch(/^[A-Z].+[.?]$/);
  expect(answerInWords("validate", code)).toBe(messageOfResultCode[code]);
});

test("suggests nothing after a success, and describes it by its kind", () => {
  expect(nextStepOfResultCode.VALID).toBeNull();
  expect(answerInWords("activate", "VALID")).toBe("The device was activated.");
  expect(answerInWords("revoke", "VALID")).toBe("The licence can no longer be used.");
});

test("shows an unknown kind of a later version as it is", () => {
  expect(askedInWords("teleport")).toBe("teleport");
  expect(answerInWords("teleport", "VALID")).toBe(messageOfResultCode.VALID);
});
