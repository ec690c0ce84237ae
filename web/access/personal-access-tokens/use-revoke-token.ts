import { useRevokePersonalAccessTokenMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { getErrorCode } from "#web/platform/server-error.ts";
import { confirmAction } from "#web/ui/dialogs.tsx";
import type { ShownToken } from "./token-list.tsx";

/** Returns a function that revokes a token after a confirmation. `onSettled` is called after success and failure. */
export function useRevokeToken(onSettled: () => void): (token: ShownToken) => void {
  const [revoke] = useRevokePersonalAccessTokenMutation();
  return ({ id, name, hint }) =>
    confirmAction({
      title: "Revoke token",
      confirmLabel: "Revoke",
      danger: true,
      text: `Programs that use “${name}” (xpat_…${hint}) will lose access immediately. This can't be undone.`,
      failure: "Unable to revoke the token.",
      run: async () => {
        try {
          await revoke({ variables: { id } });
          notify.success("The token has been revoked.");
        } catch (error) {
          // The token was already deleted, which is the desired result.
          if (getErrorCode(error) !== "NOT_FOUND") throw error;
          notify.success("The token was already revoked.");
        }
        onSettled();
      },
      onFailure: onSettled,
    });
}
