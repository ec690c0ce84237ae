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
  { status }: Pick<BillingSubscriptionFieldsFragment, "status">,
  isFinance: boolean,
): SubscriptionActionKind[] {
  if (status === "ENDED") return [];
  const retries: SubscriptionActionKind[] = status === "PAST_DUE" ? ["RETRY_PAYMENT"] : [];
  if (!isFinance) return retries;
  const resumes: SubscriptionActionKind[] = status === "CANCELLING" ? ["RESUME"] : [];
  // The dialog of the first one also offers to cancel now.
  const cancels = status === "ACTIVE" ? "CANCEL_AT_PERIOD_END" : "CANCEL_NOW";
  const pauses: SubscriptionActionKind[] =
    status === "PAUSED" ? ["END_PAUSE"] : status === "CANCELLING" ? [] : ["PAUSE"];
  return [...retries, ...resumes, ...pauses, "EXTEND_LICENCE", cancels];
}
