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
import { useApolloClient } from "@apollo/client/react";
import { getErrorCode } from "#web/platform/server-error.ts";
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
 * it succeeded. A refused action reloads the status, which another tab or the end of the period has changed.
 */
export function useSubscriptionActions() {
  const client = useApolloClient();
  const [cancel] = useCancelSubscriptionMutation(options);
  const [resume] = useResumeSubscriptionMutation(options);
  const [keep] = useKeepPresentPlanMutation(options);
  const [pause] = usePauseSubscriptionMutation(options);
  const [endPause] = useEndSubscriptionPauseMutation(options);
  const report = (change: Parameters<typeof reportChange>[0]) =>
    reportChange({
      ...change,
      run: async () => {
        try {
          return await change.run();
        } catch (error) {
          if (getErrorCode(error) === "CONFLICT")
            void client.refetchQueries({ include: [SubscriptionStatusDocument] }).catch(() => undefined);
          throw error;
        }
      },
    });
  return {
    cancel: (answer: CancellationAnswer) =>
      report({
        run: () => cancel({ variables: answer }),
        success: "You have successfully unsubscribed.",
        failure: "Unable to unsubscribe.",
      }),
    resume: () =>
      report({
        run: () => resume(),
        success: "Your subscription has been resumed.",
        failure: "Unable to resume the subscription.",
      }),
    keep: () =>
      report({
        run: () => keep(),
        success: "Your planned change has been cancelled.",
        failure: "Unable to change the subscription.",
      }),
    pause: (until: string) =>
      report({
        run: () => pause({ variables: { until } }),
        success: "Your subscription is paused.",
        failure: "Unable to pause the subscription.",
      }),
    endPause: () =>
      report({
        run: () => endPause(),
        success: "Your subscription has resumed. Your licence is valid again.",
        failure: "Unable to resume the subscription.",
      }),
  };
}
