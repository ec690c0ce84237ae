import { useRevokePersonalAccessTokenMutation } from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { codeOf } from "#web/platform/server-error.ts";
import { useLast } from "#web/ui/use-last.ts";
import type { ShownToken } from "./token-list.tsx";

/** Asks before a token is revoked; `token` is null while nothing is asked. */
export function RevokeTokenDialog(props: { token: ShownToken | null; onClose: () => void; onSettled: () => void }) {
  const { token, onClose, onSettled } = props;
  const [revoke] = useRevokePersonalAccessTokenMutation();
  const shown = useLast(token);

  async function confirm() {
    if (!token) return;
    try {
      await revoke({ variables: { id: token.id } });
      notify.success("The token has been revoked.");
    } catch (failure) {
      // Removed meanwhile: what was wanted is so.
      if (codeOf(failure) === "NOT_FOUND") notify.success("That token was gone already.");
      else notify.failure(failure, "Unable to revoke the token.");
    }
    onClose();
    onSettled();
  }

  return (
    <ConfirmDialog opened={token !== null} title="Revoke Token" danger onConfirm={confirm} onCancel={onClose}>
      {shown &&
        `Every program that uses “${shown.name}” (xpat_…${shown.hint}) is refused at once. This can't be undone.`}
    </ConfirmDialog>
  );
}
