import { expect, test } from "vitest";
import { messageOfResultCode, ResultCode, type ResultCodeName } from "#schema/result-code.ts";
import { describeLicenceEventResult, labelLicenceEvent, nextStepByResultCode } from "#schema/licence-history.ts";

test("suggests a next step in a sentence after every refusal", () => {
  for (const code of (Object.keys(ResultCode) as ResultCodeName[]).filter((one) => one !== "VALID")) {
    expect(nextStepByResultCode[code]?.text).toMatch(/^[A-Z].+[.?]$/);
    expect(describeLicenceEventResult("validate", code)).toBe(messageOfResultCode[code]);
  }
});

test("suggests no next step after a success, and describes the event by its kind", () => {
  expect(nextStepByResultCode.VALID).toBeNull();
  expect(describeLicenceEventResult("activate", "VALID")).toBe("The device was activated.");
  expect(describeLicenceEventResult("revoke", "VALID")).toBe("The licence can no longer be used.");
});

test("says of a suspended and a deactivated licence, also of an expired one, that it was reinstated", () => {
  expect(labelLicenceEvent("reinstate")).toBe("Licence reinstated");
  expect(describeLicenceEventResult("reinstate", "VALID")).toBe("The licence was reinstated.");
});

test("shows an unknown event kind from a later version unchanged", () => {
  expect(labelLicenceEvent("teleport")).toBe("teleport");
  expect(describeLicenceEventResult("teleport", "VALID")).toBe(messageOfResultCode.VALID);
});
