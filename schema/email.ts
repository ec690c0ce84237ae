import { defineList } from "./closed-list.ts";

/** What became of an email to a user. */
export const emailStates = defineList("EmailState", "What became of an email to a user.", [
  { code: "WAITING", value: "waiting", label: "Waiting", description: "Not accepted by the mail server yet." },
  { code: "SENT", value: "sent", label: "Sent", description: "Accepted by the mail server." },
  {
    code: "REFUSED",
    value: "refused",
    label: "Refused",
    description: "The mail server refused the address. It isn't tried again.",
  },
] as const);
