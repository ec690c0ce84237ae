import { type CodeOf, defineList } from "./closed-list.ts";

/** What My Account suggests to a customer, the most urgent first. */
export const nextSteps = defineList("NextStepKind", "What a customer should do next, the most urgent first.", {
  UPDATE_CARD: [
    "update-card",
    "Update the card",
    "The last payment for the subscription failed. It is charged when the customer updates the card.",
  ],
  PAY_OVERDUE_INVOICE: ["pay-overdue-invoice", "Pay the overdue invoice", "An invoice wasn't paid by its due date."],
  CONTACT_US: ["contact-us", "Contact us", "A payment is disputed with the bank, so the licence is suspended."],
  CONFIRM_EMAIL: [
    "confirm-email",
    "Confirm the email",
    "A new email address takes effect when the customer confirms it.",
  ],
  START_TRIAL: ["start-trial", "Start the trial", "The customer has no licence and can start the free trial."],
  INSTALL_ADD_IN: [
    "install-add-in",
    "Install the add-in",
    "The customer has a licence, but hasn't activated it on a device.",
  ],
  SUBSCRIBE: [
    "subscribe",
    "Subscribe",
    "A trial is running, or the customer has no valid licence and can't start a trial.",
  ],
  PAY_INVOICE: ["pay-invoice", "Pay the invoice", "An invoice is to be paid by its due date."],
  END_PAUSE: ["end-pause", "Resume", "The subscription is paused. The customer can resume earlier."],
  RESUME_SUBSCRIPTION: [
    "resume-subscription",
    "Resume the subscription",
    "The subscription is cancelled and ends with the current period.",
  ],
  REVIEW_CHANGE: ["review-change", "Review the planned change", "Another plan or price applies from the next payment."],
  UPDATE_ADD_IN: [
    "update-add-in",
    "Update the add-in",
    "A device ran an older version of the add-in than the one we offer.",
  ],
  CONVERT_SCHEDULE: [
    "convert-schedule",
    "Convert a schedule",
    "The add-in is activated, but hasn't converted a schedule yet.",
  ],
});

export type NextStepCode = CodeOf<typeof nextSteps>;
