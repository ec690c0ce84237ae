import { useRevokePersonalAccessTokenMutation } from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { getErrorCode } from "#web/platform/server-error.ts";
import { useLastValue } from "#web/platform/use-last-value.ts";
import type { ShownToken } from "./token-list.tsx";

/** Dialog that confirms revoking a token. `token` is null while it is closed. */
export function RevokeTokenDialog(props: { token: ShownToken | null; onClose: () => void; onSettled: () => void }) {
  const { token, onClose, onSettled } = props;
  const [revoke] = useRevokePersonalAccessTokenMutation();
  const shown = useLastValue(token);

  async function confirm() {
    if (!token) return;
    try {
      await revoke({ variables: { id: token.id } });
      notify.success("The token has been revoked.");
    } catch (failure) {
      // The token was already deleted, which is the desired result.
      if (getErrorCode(failure) === "NOT_FOUND") notify.success("The token was already revoked.");
      else notify.failure(failure, "Unable to revoke the token.");
    }
    onClose();
    onSettled();
  }

  return (
    <ConfirmDialog
      opened={token !== null}
      title="Revoke token"
      confirmLabel="Revoke"
      danger
      onConfirm={confirm}
      onCancel={onClose}
    >
      {shown &&
        `Programs that use “${shown.name}” (xpat_…${shown.hint}) will lose access immediately. This can't be undone.`}
    </ConfirmDialog>
  );
}
