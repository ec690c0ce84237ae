import { type CodeOf, defineList } from "./closed-list.ts";

/** What My Account suggests to a customer, the most urgent first. */
export const nextSteps = defineList("NextStepKind", "What a customer should do next, the most urgent first.", [
  {
    code: "UPDATE_CARD",
    value: "update-card",
    label: "Update the card",
    description: "The last payment for the subscription failed. It is charged when the customer updates the card.",
  },
  {
    code: "PAY_OVERDUE_INVOICE",
    value: "pay-overdue-invoice",
    label: "Pay the overdue invoice",
    description: "An invoice wasn't paid by its due date.",
  },
  {
    code: "CONTACT_US",
    value: "contact-us",
    label: "Contact us",
    description: "A payment is disputed with the bank, so the licence is suspended.",
  },
  {
    code: "CONFIRM_EMAIL",
    value: "confirm-email",
    label: "Confirm the email",
    description: "A new email address takes effect when the customer confirms it.",
  },
  {
    code: "START_TRIAL",
    value: "start-trial",
    label: "Start the trial",
    description: "The customer has no licence and can start the free trial.",
  },
  {
    code: "INSTALL_ADD_IN",
    value: "install-add-in",
    label: "Install the add-in",
    description: "The customer has a licence, but hasn't activated it on a device.",
  },
  {
    code: "SUBSCRIBE",
    value: "subscribe",
    label: "Subscribe",
    description: "A trial is running, or the customer has no valid licence and can't start a trial.",
  },
  {
    code: "PAY_INVOICE",
    value: "pay-invoice",
    label: "Pay the invoice",
    description: "An invoice is to be paid by its due date.",
  },
  {
    code: "END_PAUSE",
    value: "end-pause",
    label: "Resume",
    description: "The subscription is paused. The customer can resume earlier.",
  },
  {
    code: "RESUME_SUBSCRIPTION",
    value: "resume-subscription",
    label: "Resume the subscription",
    description: "The subscription is cancelled and ends with the current period.",
  },
  {
    code: "REVIEW_CHANGE",
    value: "review-change",
    label: "Review the planned change",
    description: "Another plan or price applies from the next payment.",
  },
  {
    code: "UPDATE_ADD_IN",
    value: "update-add-in",
    label: "Update the add-in",
    description: "A device ran an older version of the add-in than the one we offer.",
  },
  {
    code: "CONVERT_SCHEDULE",
    value: "convert-schedule",
    label: "Convert a schedule",
    description: "The add-in is activated, but hasn't converted a schedule yet.",
  },
] as const);

export type NextStepCode = CodeOf<typeof nextSteps>;
