import { useRevokePersonalAccessTokenMutation } from "#web/generated/graphql.ts";
import { acceptGone } from "#web/platform/server-error.ts";
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
      run: () => acceptGone(revoke({ variables: { id } })),
      success: (isGone) => (isGone ? "The token was already revoked." : "The token has been revoked."),
      onSettled,
    });
}
