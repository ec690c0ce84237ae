import {
  type SubscriptionFieldsFragment,
  SubscriptionStatusDocument,
  useCancelSubscriptionMutation,
  useEndSubscriptionPauseMutation,
  useKeepPresentPlanMutation,
  usePauseSubscriptionMutation,
  useResumeSubscriptionMutation,
} from "#web/generated/graphql.ts";
import type { ApolloCache } from "@apollo/client";
import { notify } from "#web/platform/notifications.ts";
import type { CancellationAnswer } from "./cancel-dialog.tsx";

function saveStatus(cache: ApolloCache, subscriptionStatus: SubscriptionFieldsFragment | undefined) {
  if (subscriptionStatus) cache.writeQuery({ query: SubscriptionStatusDocument, data: { subscriptionStatus } });
}

async function runAndNotify(run: () => Promise<unknown>, done: string, failed: string): Promise<boolean> {
  notify.clearErrors();
  try {
    await run();
    notify.success(done);
    return true;
  } catch (error) {
    notify.failure(error, failed);
    return false;
  }
}

/**
 * Returns the actions for a running subscription. Each shows a notification when it succeeds or fails, and returns whether
 * it succeeded.
 */
export function useSubscriptionActions() {
  const [cancel] = useCancelSubscriptionMutation({
    update: (cache, { data }) => saveStatus(cache, data?.cancelSubscription),
  });
  const [resume] = useResumeSubscriptionMutation({
    update: (cache, { data }) => saveStatus(cache, data?.resumeSubscription),
  });
  const [keep] = useKeepPresentPlanMutation({
    update: (cache, { data }) => saveStatus(cache, data?.keepPresentPlan),
  });
  const [pause] = usePauseSubscriptionMutation({
    update: (cache, { data }) => saveStatus(cache, data?.pauseSubscription),
  });
  const [endPause] = useEndSubscriptionPauseMutation({
    update: (cache, { data }) => saveStatus(cache, data?.endSubscriptionPause),
  });
  return {
    cancel: (answer: CancellationAnswer) =>
      runAndNotify(
        () => cancel({ variables: answer }),
        "You have successfully unsubscribed.",
        "Unable to unsubscribe.",
      ),
    resume: () =>
      runAndNotify(() => resume(), "Your subscription has been resumed.", "Unable to resume the subscription."),
    keep: () =>
      runAndNotify(() => keep(), "Your planned change has been cancelled.", "Unable to change the subscription."),
    pause: (until: string) =>
      runAndNotify(
        () => pause({ variables: { until } }),
        "Your subscription is paused.",
        "Unable to pause the subscription.",
      ),
    endPause: () =>
      runAndNotify(
        () => endPause(),
        "Your subscription has resumed. Your licence is valid again.",
        "Unable to resume the subscription.",
      ),
  };
}
