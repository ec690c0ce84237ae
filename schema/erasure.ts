import { defineList, type ValueOf } from "./closed-list.ts";

/** Parties that can request an erasure. */
export const erasureRequesters = defineList("ErasureRequester", "The party that requested an erasure.", [
  { code: "CUSTOMER", value: "customer", label: "Customer", description: "The user." },
  { code: "STAFF", value: "staff", label: "Staff", description: "An admin." },
  {
    code: "OPERATOR",
    value: "operator",
    label: "Operator",
    description: "The operator of the installation, by a command.",
  },
] as const);
export type ErasureRequester = ValueOf<typeof erasureRequesters>;

/** States of an erasure. */
export const erasureStates = defineList("ErasureState", "The state of an erasure.", [
  { code: "RUNNING", value: "running", label: "Running", description: "Some parts are not done yet." },
  { code: "DONE", value: "done", label: "Done", description: "All parts are done." },
] as const);
export type ErasureState = ValueOf<typeof erasureStates>;

/** Effects of an erasure on rows. */
export const erasureEffects = defineList("ErasureEffect", "What an erasure does with a kind of personal data.", [
  { code: "DELETED", value: "deleted", label: "Deleted", description: "The rows are deleted." },
  {
    code: "ANONYMIZED",
    value: "anonymized",
    label: "Anonymized",
    description: "The rows are kept without personal data.",
  },
] as const);
export type ErasureEffect = ValueOf<typeof erasureEffects>;
