import { expect, test } from "vitest";
import { messageOfResultCode, ResultCode, type ResultCodeName } from "#schema/catalogue.ts";
import { answerInWords, askedInWords, nextStepOfResultCode } from "#schema/licence-history.ts";

const codes = Object.keys(ResultCode) as ResultCodeName[];

test.each(codes.filter((code) => code !== "VALID"))("the history says after %s what to do, in a sentence", (code) => {
  expect(nextStepOfResultCode[code]?.words).toMatch(/^[A-Z].+[.?]$/);
  expect(answerInWords("validate", code)).toBe(messageOfResultCode[code]);
});

test("a success asks for nothing, and is told in the words of what was asked", () => {
  expect(nextStepOfResultCode.VALID).toBeNull();
  expect(answerInWords("activate", "VALID")).toBe("The device was activated.");
  expect(answerInWords("revoke", "VALID")).toBe("The licence can't be used any more.");
});

test("a kind of a later version is shown as it is called", () => {
  expect(askedInWords("teleport")).toBe("teleport");
  expect(answerInWords("teleport", "VALID")).toBe(messageOfResultCode.VALID);
});
