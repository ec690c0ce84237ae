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
import { reportChange } from "#web/ui/dialogs.tsx";
import type { CancellationAnswer } from "./cancel-dialog.tsx";

/** Replaces the cached status with the one that a mutation returned. */
function saveStatus(
  cache: ApolloCache,
  { data }: { data?: Readonly<Record<string, SubscriptionFieldsFragment>> | null | undefined },
): void {
  const [subscriptionStatus] = Object.values(data ?? {});
  if (subscriptionStatus) cache.writeQuery({ query: SubscriptionStatusDocument, data: { subscriptionStatus } });
}

const options = { update: saveStatus };

/**
 * Returns the actions for a running subscription. Each shows a notification when it succeeds or fails, and returns whether
 * it succeeded.
 */
export function useSubscriptionActions() {
  const [cancel] = useCancelSubscriptionMutation(options);
  const [resume] = useResumeSubscriptionMutation(options);
  const [keep] = useKeepPresentPlanMutation(options);
  const [pause] = usePauseSubscriptionMutation(options);
  const [endPause] = useEndSubscriptionPauseMutation(options);
  return {
    cancel: (answer: CancellationAnswer) =>
      reportChange({
        run: () => cancel({ variables: answer }),
        success: "You have successfully unsubscribed.",
        failure: "Unable to unsubscribe.",
      }),
    resume: () =>
      reportChange({
        run: () => resume(),
        success: "Your subscription has been resumed.",
        failure: "Unable to resume the subscription.",
      }),
    keep: () =>
      reportChange({
        run: () => keep(),
        success: "Your planned change has been cancelled.",
        failure: "Unable to change the subscription.",
      }),
    pause: (until: string) =>
      reportChange({
        run: () => pause({ variables: { until } }),
        success: "Your subscription is paused.",
        failure: "Unable to pause the subscription.",
      }),
    endPause: () =>
      reportChange({
        run: () => endPause(),
        success: "Your subscription has resumed. Your licence is valid again.",
        failure: "Unable to resume the subscription.",
      }),
  };
}
