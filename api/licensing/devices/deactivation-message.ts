import { messageOfResultCode, type ResultCodeName } from "#schema/catalogue.ts";

const portalMessages: Partial<Record<ResultCodeName, string>> = {
  VALID: "You have successfully deactivated the device.",
  FAILED: "Unable to deactivate the device.",
};

/** Returns the message the portal shows after a deactivation. */
export function deactivationMessage(code: ResultCodeName): string {
  return portalMessages[code] ?? messageOfResultCode[code];
}
