import type { ApolloClient } from "@apollo/client";

/**
 * Loads what the header of a user's page says about the plan and debt again, and the overview, which has the same and what needs
 * attention. For actions of staff that change them.
 */
export function refreshUserSummary(client: ApolloClient): void {
  void client
    .refetchQueries({
      updateCache: (cache) => {
        cache.modify({ fields: { userSummary: (_, { INVALIDATE }) => INVALIDATE } });
      },
    })
    .catch(() => undefined);
}
