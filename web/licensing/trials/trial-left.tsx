import { Moment } from "#web/ui/moment.tsx";
import { formatDaysLeft, type TrialStatus } from "./trial-status.ts";

/** Shows the days and conversions left in a trial: `12 days left, until 9 Mar 2027, 2:05 pm AEST. 17 of 20 conversions left.` */
export function TrialLeft({
  trialStatus: { daysLeft, licence },
}: {
  trialStatus: Pick<TrialStatus, "daysLeft" | "licence">;
}) {
  if (daysLeft === null || !licence) return null;
  return (
    <>
      {formatDaysLeft(daysLeft)}, until <Moment at={licence.expiresAt} />.
      {typeof licence.usageLimit === "number" &&
        ` ${licence.usageRemaining} of ${licence.usageLimit} conversions left.`}
    </>
  );
}
