import { defineList, type ValueOf } from "./closed-list.ts";

/** Results of a check of the installation. `doctor` and the Status page show them. */
export const checkStates = defineList("CheckState", "Result of a check of the installation.", {
  OK: ["ok", "In order", "Nothing needs to be done."],
  WARNING: ["warning", "Look at this", "Something should be done soon."],
  FAILED: ["failed", "Wrong", "Something doesn't work, or can be lost."],
});
export type CheckState = ValueOf<typeof checkStates>;
