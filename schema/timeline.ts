import { defineList, type ValueOf } from "./closed-list.ts";

/** Outcomes of the events in a timeline. */
export const timelineTones = defineList("TimelineTone", "The outcome of an event in a timeline.", [
  { code: "GRANTED", value: "granted", label: "Granted", description: "A request succeeded." },
  { code: "REFUSED", value: "refused", label: "Refused", description: "A request was refused or failed." },
  { code: "CHANGE", value: "change", label: "Change", description: "Something changed." },
] as const);
export type TimelineTone = ValueOf<typeof timelineTones>;
