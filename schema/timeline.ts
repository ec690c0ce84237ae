import { defineList, type ValueOf } from "./closed-list.ts";

/** Outcomes of the events in a timeline. */
export const timelineTones = defineList("TimelineTone", "The outcome of an event in a timeline.", {
  GRANTED: ["granted", "Granted", "A request succeeded."],
  REFUSED: ["refused", "Refused", "A request was refused or failed."],
  CHANGE: ["change", "Change", "Something changed."],
});
export type TimelineTone = ValueOf<typeof timelineTones>;
