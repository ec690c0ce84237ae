import { useArchiveUserMutation, useRestoreUserMutation } from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { useLastValue } from "#web/platform/use-last-value.ts";

interface ListedUser {
  id: string;
  firstName: string;
  lastName: string;
}

export interface UserDialogProps {
  /** Null while the dialog is closed. */
  user: ListedUser | null;
  onClose: () => void;
  onDone?: () => void;
}

const cancellationPendingMessage =
  "The payment provider can't be reached right now. We'll cancel the subscription as soon as it's available.";

/** Confirms archiving an account, which the user list calls deleting. */
export function ArchiveUserDialog({ user: present, onClose, onDone }: UserDialogProps) {
  const [archive] = useArchiveUserMutation();
  const [restore] = useRestoreUserMutation();
  const user = useLastValue(present);

  async function confirm() {
    if (!user) return;
    try {
      const { data } = await archive({ variables: { id: user.id } });
      const isPending = Boolean(data?.archiveUser.cancellationPendingSince);
      notify.undoable(
        `The user has been successfully deleted.${isPending ? ` ${cancellationPendingMessage}` : ""}`,
        () => void undo(user.id),
      );
      onDone?.();
    } catch (error) {
      notify.failure(error, "Unable to delete the user.");
    }
    onClose();
  }

  async function undo(id: string) {
    try {
      await restore({ variables: { id } });
      notify.success("The user has been restored.");
      onDone?.();
    } catch (error) {
      notify.failure(error, "Unable to restore the user.");
    }
  }

  return (
    <ConfirmDialog
      opened={present !== null}
      title="Delete user"
      confirmLabel="Delete"
      danger
      onConfirm={confirm}
      onCancel={onClose}
    >
      <p>
        Delete{" "}
        <strong>
          {user?.firstName} {user?.lastName}
        </strong>
        ?
      </p>
      <p>
        They are signed out immediately, their licences are suspended, and their subscription is cancelled at the end of
        its period. The account is archived, not erased, so you can undo this now or restore it later. Their sign-ins,
        the links emailed to them, and the subscription don't come back.
      </p>
    </ConfirmDialog>
  );
}

/** Confirms restoring an archived account. */
export function RestoreUserDialog({ user: present, onClose, onDone }: UserDialogProps) {
  const [restore] = useRestoreUserMutation();
  const user = useLastValue(present);

  async function confirm() {
    if (!user) return;
    try {
      await restore({ variables: { id: user.id } });
      notify.success("The user has been restored.");
      onDone?.();
    } catch (error) {
      notify.failure(error, "Unable to restore the user.");
    }
    onClose();
  }

  return (
    <ConfirmDialog
      opened={present !== null}
      title="Restore user"
      confirmLabel="Restore"
      onConfirm={confirm}
      onCancel={onClose}
    >
      <p>
        Restore{" "}
        <strong>
          {user?.firstName} {user?.lastName}
        </strong>
        ?
      </p>
      <p>
        They can sign in again, and their suspended licences work again. They can resume a cancelled subscription until
        its period ends.
      </p>
    </ConfirmDialog>
  );
}
