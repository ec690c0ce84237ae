import { useEffect, useState } from "react";
import { forgetTrialIntent } from "#web/platform/landing.ts";
import { type StartTrialMutation, useTrialEligibilityQuery } from "#web/generated/graphql.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { messageOf } from "#web/platform/server-error.ts";
import { TrialForm } from "./trial-form.tsx";
import { TrialRunning } from "./trial-running.tsx";
import { forgetTrialStanding } from "./trial-standing.ts";
import { TrialRefusal } from "./trial-refusal.tsx";
import { TrialWelcome } from "./trial-welcome.tsx";

/** Checks who may have the trial, starts it, shows its licence. */
export function Trial() {
  const { data, error, refetch } = useTrialEligibilityQuery({ fetchPolicy: "network-only" });
  const [started, setStarted] = useState<StartTrialMutation["startTrial"] | null>(null);
  useEffect(() => forgetTrialIntent(), []);

  function start(licence: StartTrialMutation["startTrial"]) {
    forgetTrialStanding();
    setStarted(licence);
  }

  if (started) return <TrialWelcome licence={started} installer={data?.installer ?? null} />;
  if (error && !data)
    return (
      <ErrorState
        message={messageOf(error, "Unable to check if you are eligible to avail the trial.")}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <LoadingBlock label="Checking your trial" />;
  const { hasCompletedTrial, hasActiveSubscription, daysLeft, licence } = data.trialEligibility;
  if (daysLeft !== null) return <TrialRunning standing={data.trialEligibility} />;
  if (hasCompletedTrial) return <TrialRefusal reason="completed" licence={licence} />;
  if (hasActiveSubscription) return <TrialRefusal reason="subscribed" licence={null} />;
  return <TrialForm onStarted={start} />;
}
