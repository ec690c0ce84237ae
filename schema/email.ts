import { defineList } from "./closed-list.ts";

/** What became of an email to a user. */
export const emailStates = defineList("EmailState", "What became of an email to a user.", {
  WAITING: ["waiting", "Waiting", "Not accepted by the mail server yet."],
  SENT: ["sent", "Sent", "Accepted by the mail server."],
  REFUSED: ["refused", "Refused", "The mail server refused the address. It isn't tried again."],
});
