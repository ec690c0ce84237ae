import type { MantineColor } from "@mantine/core";
import type {
  BillingSubscriptionFieldsFragment,
  BillingSubscriptionStatus,
  SubscriptionActionKind,
} from "#web/generated/graphql.ts";

/** Label and colour of each status, in the order of the filter. */
export const statusTexts: Readonly<Record<BillingSubscriptionStatus, { label: string; color: MantineColor }>> = {
  ACTIVE: { label: "Active", color: "spruce" },
  PAST_DUE: { label: "Past due", color: "red" },
  PAUSED: { label: "Paused", color: "marigold" },
  CANCELLING: { label: "Cancelled", color: "marigold" },
  ENDED: { label: "Ended", color: "gray" },
};

/** Labels of the actions. */
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
