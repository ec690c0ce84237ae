import { array, boolean, type InferType, object, string } from "yup";
import { cleanNumber } from "./clean-text.ts";
import { defineList, findEntry, type ValueOf } from "./closed-list.ts";
import { day, optionalMoment } from "./moment.ts";
import { reportPeriod } from "./report.ts";
import { line, mapText, numeric, paragraphs, uuid } from "./text.ts";

/** Creates the rule for the reason that staff give for a change to a customer's money. */
export const staffReason = () =>
  paragraphs(500, "The reason must be at most 500 characters.")
    .required("Enter a reason.")
    .min(3, "Enter a reason of at least 3 characters.");

/** Creates the rule for the key that makes a repeated request return the first result. */
export const requestKey = () => uuid("Must be a UUID.").required("A key is required.");

/** Rules for a refund by staff. Amounts are in cents including GST. */
export const refundRules = object({
  invoiceId: line(100).required("Choose an invoice."),
  amountCents: numeric().typeError("Must be a number.").integer("Must be a whole number of cents."),
  remainingCents: numeric().typeError("Must be a number.").integer("Must be a whole number of cents."),
  unusedTime: boolean(),
  licence: string(),
  reason: staffReason(),
  key: requestKey(),
});
export type RefundValues = InferType<typeof refundRules>;

/** Rules for an action of staff on a subscription. */
export const subscriptionActionRules = object({
  subscriptionId: line(100).required("Choose a subscription."),
  days: numeric().typeError("Must be a number.").integer("Must be a whole number of days."),
  pauseUntil: day(),
  licenceExpiresAt: optionalMoment(),
  reason: staffReason(),
  key: requestKey(),
});

/** Rules for a retry of a payment, which needs no reason. */
export const retryPaymentRules = subscriptionActionRules.pick(["subscriptionId", "key"]);
export type SubscriptionActionValues = InferType<typeof retryPaymentRules> &
  Partial<InferType<typeof subscriptionActionRules>>;

/** States of a subscription as staff see it. */
export const subscriptionStatuses = defineList(
  "BillingSubscriptionStatus",
  "The state of a subscription as staff see it.",
  {
    ACTIVE: ["ACTIVE", "Active", "Runs and renews."],
    CANCELLING: ["CANCELLING", "Cancelled", "Cancelled; it ends with the paid period."],
    PAUSED: ["PAUSED", "Paused", "Paused; see `pausedUntil`."],
    PAST_DUE: ["PAST_DUE", "Past due", "The last renewal payment failed."],
    ENDED: ["ENDED", "Ended", "Has ended."],
  },
);
export type SubscriptionStatus = ValueOf<typeof subscriptionStatuses>;

// Not `oneOf`, because the released description of the REST call doesn't list the statuses.
const status = string<SubscriptionStatus>()
  .required()
  .test("status", "Please choose one of the list.", (value) => findEntry(subscriptionStatuses, value) !== undefined)
  .meta({ list: () => subscriptionStatuses });

/** Rules for the filter of the list of subscriptions. */
export const subscriptionFilterRules = object({
  search: line(200),
  statuses: array(status).max(5, "Choose at most 5 statuses."),
});
export type SubscriptionFilterValues = InferType<typeof subscriptionFilterRules>;

/** Rules for the body of `POST /v1/reports/download-subscriptions`. */
export const subscriptionReportRules = subscriptionFilterRules.shape({ format: reportPeriod.format.default("csv") });

/** Rules for locking or reopening a month (docs/domain.md#period-lock). */
export const periodLockRules = object({
  month: string()
    .transform(mapText(cleanNumber))
    .typeError("Must be a month.")
    .matches(/^20\d\d-(0[1-9]|1[0-2])$/, "Must be a month, YYYY-MM.")
    .required("Choose a month."),
  reason: staffReason(),
});
export type PeriodLockValues = InferType<typeof periodLockRules>;
