import { formatDateTime } from "#schema/dates.ts";
import { daysLeftInWords, type TrialStanding } from "./trial-standing.ts";

/** Returns what is left of a running trial: `12 days left, until 9 Mar 2027, 2:05 pm AEST. 17 of 20 conversions left.` */
export function trialInWords(standing: Pick<TrialStanding, "daysLeft" | "licence">): string {
  const { daysLeft, licence } = standing;
  if (daysLeft === null || !licence) return "";
  const days = `${daysLeftInWords(daysLeft)}, until ${formatDateTime(licence.expiresAt)}.`;
  if (typeof licence.usageLimit !== "number") return days;
  return `${days} ${licence.usageRemaining} of ${licence.usageLimit} conversions left.`;
}
