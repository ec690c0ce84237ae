import type { MantineColor } from "@mantine/core";
import { findLabel } from "#schema/closed-list.ts";
import { subscriptionStatuses } from "#schema/staff-money.ts";
import type {
  BillingSubscriptionFieldsFragment,
  BillingSubscriptionStatus,
  SubscriptionActionKind,
} from "#web/generated/graphql.ts";

const describe = (status: BillingSubscriptionStatus, color: MantineColor) => ({
  label: findLabel(subscriptionStatuses, status),
  color,
});

/** Label and colour of each status, in the order of the filter. */
export const statusTexts: Readonly<Record<BillingSubscriptionStatus, { label: string; color: MantineColor }>> = {
  ACTIVE: describe("ACTIVE", "spruce"),
  PAST_DUE: describe("PAST_DUE", "red"),
  PAUSED: describe("PAUSED", "marigold"),
  CANCELLING: describe("CANCELLING", "marigold"),
  ENDED: describe("ENDED", "gray"),
};

type Status = Pick<BillingSubscriptionFieldsFragment, "status" | "isCancelledAtPeriodEnd">;

/** Returns the label and colour of a subscription's status. A paused one may be cancelled, too. */
export function getStatusText({ status, isCancelledAtPeriodEnd }: Status) {
  const text = statusTexts[status];
  return status === "PAUSED" && isCancelledAtPeriodEnd ? { ...text, label: `${text.label}, cancelled` } : text;
}

export const actionLabels: Readonly<Record<SubscriptionActionKind, string>> = {
  RETRY_PAYMENT: "Retry Payment",
  RESUME: "Resume Subscription",
  PAUSE: "Pause Subscription",
  END_PAUSE: "End Pause",
  EXTEND_LICENCE: "Extend Licence",
  CANCEL_AT_PERIOD_END: "Cancel Subscription",
  CANCEL_NOW: "Cancel Subscription",
};

/** Returns whether an action cancels a subscription, now or later. */
export const isCancelling = (kind: SubscriptionActionKind) => kind.startsWith("CANCEL");

/** Returns the actions that a subscription allows, for staff with the finance role or without it. */
export function getSubscriptionActions(
  { status, isCancelledAtPeriodEnd }: Status,
  isFinance: boolean,
): SubscriptionActionKind[] {
  if (status === "ENDED") return [];
  const retries: SubscriptionActionKind[] = status === "PAST_DUE" ? ["RETRY_PAYMENT"] : [];
  if (!isFinance) return retries;
  const resumes: SubscriptionActionKind[] = isCancelledAtPeriodEnd && status !== "PAST_DUE" ? ["RESUME"] : [];
  // The dialog of the first one also offers to cancel now.
  const cancels = isCancelledAtPeriodEnd || status === "PAST_DUE" ? "CANCEL_NOW" : "CANCEL_AT_PERIOD_END";
  const pauses: SubscriptionActionKind[] =
    status === "PAUSED" ? ["END_PAUSE"] : status === "CANCELLING" ? [] : ["PAUSE"];
  return [...retries, ...resumes, ...pauses, "EXTEND_LICENCE", cancels];
}
