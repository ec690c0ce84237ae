import { defineList, type ValueOf } from "./closed-list.ts";

/** Results of a check of the installation. `doctor` and the Status page show them. */
export const checkStates = defineList("CheckState", "Result of a check of the installation.", [
  { code: "OK", value: "ok", label: "In order", description: "Nothing needs to be done." },
  { code: "WARNING", value: "warning", label: "Look at this", description: "Something should be done soon." },
  { code: "FAILED", value: "failed", label: "Wrong", description: "Something doesn't work, or can be lost." },
] as const);
export type CheckState = ValueOf<typeof checkStates>;
