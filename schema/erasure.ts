import { defineList, type ValueOf } from "./closed-list.ts";

/** Parties that can request an erasure. */
export const erasureRequesters = defineList("ErasureRequester", "The party that requested an erasure.", {
  CUSTOMER: ["customer", "Customer", "The user."],
  STAFF: ["staff", "Staff", "An admin."],
  OPERATOR: ["operator", "Operator", "The operator of the installation, by a command."],
});
export type ErasureRequester = ValueOf<typeof erasureRequesters>;

/** States of an erasure. */
export const erasureStates = defineList("ErasureState", "The state of an erasure.", {
  RUNNING: ["running", "Running", "Some parts are not done yet."],
  DONE: ["done", "Done", "All parts are done."],
});
export type ErasureState = ValueOf<typeof erasureStates>;

/** Effects of an erasure on rows. */
export const erasureEffects = defineList("ErasureEffect", "What an erasure does with a kind of personal data.", {
  DELETED: ["deleted", "Deleted", "The rows are deleted."],
  ANONYMIZED: ["anonymized", "Anonymized", "The rows are kept without personal data."],
});
export type ErasureEffect = ValueOf<typeof erasureEffects>;
