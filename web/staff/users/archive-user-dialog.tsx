import { useArchiveUserMutation, useRestoreUserMutation } from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { useLast } from "#web/ui/use-last.ts";

/** Who is archived or restored. */
interface Person {
  id: string;
  firstName: string;
  lastName: string;
}

export interface PersonDialogProps {
  /** Null while the dialog is closed. */
  user: Person | null;
  onClose: () => void;
  /** It was done. */
  onDone: () => void;
}

const cancellationPending =
  "The payment provider can't be reached at the moment, so their subscription will be cancelled a little later.";

/** Asks before an account is archived, which the list calls deleting, and says what that does. */
export function ArchiveUserDialog({ user: present, onClose, onDone }: PersonDialogProps) {
  const [archive] = useArchiveUserMutation();
  const user = useLast(present);

  async function confirm() {
    if (!user) return;
    try {
      const { data } = await archive({ variables: { id: user.id } });
      const isPending = Boolean(data?.archiveUser.cancellationPendingSince);
      notify.success(`The user has been successfully deleted.${isPending ? ` ${cancellationPending}` : ""}`);
      onDone();
    } catch (error) {
      notify.failure(error, "Unable to delete the user.");
    }
    onClose();
  }

  return (
    <ConfirmDialog opened={present !== null} title="Delete User" danger onConfirm={confirm} onCancel={onClose}>
      <p>
        Delete{" "}
        <strong>
          {user?.firstName} {user?.lastName}
        </strong>
        ?
      </p>
      <p>
        They are signed out at once, their licences are suspended, and a subscription is cancelled at the end of its
        period. Nothing is erased: the account is archived, and you can restore it later.
      </p>
    </ConfirmDialog>
  );
}

/** Asks before an archived account is opened again, and says what comes back. */
export function RestoreUserDialog({ user: present, onClose, onDone }: PersonDialogProps) {
  const [restore] = useRestoreUserMutation();
  const user = useLast(present);

  async function confirm() {
    if (!user) return;
    try {
      await restore({ variables: { id: user.id } });
      notify.success("The user has been restored.");
      onDone();
    } catch (error) {
      notify.failure(error, "Unable to restore the user.");
    }
    onClose();
  }

  return (
    <ConfirmDialog opened={present !== null} title="Restore User" onConfirm={confirm} onCancel={onClose}>
      <p>
        Restore{" "}
        <strong>
          {user?.firstName} {user?.lastName}
        </strong>
        ?
      </p>
      <p>
        They can sign in again, and the licences that were suspended with the account work again. A subscription that
        was cancelled is theirs to resume, until its period ends.
      </p>
    </ConfirmDialog>
  );
}
