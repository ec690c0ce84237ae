import type { ApolloClient } from "@apollo/client";

/** Loads what the header of a user's page says about the plan and debt again, after an action of staff that changes it. */
export function refreshUserSummary(client: ApolloClient): void {
  void client
    .refetchQueries({
      updateCache: (cache) => {
        cache.modify({ fields: { userSummary: (_, { INVALIDATE }) => INVALIDATE } });
      },
    })
    .catch(() => undefined);
}
