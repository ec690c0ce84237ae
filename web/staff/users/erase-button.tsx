import { Button, List, Text, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { cleanEmail } from "#schema/clean-text.ts";
import {
  type ErasureQuery,
  useEraseUserMutation,
  useErasureQuery,
  type UserHeaderFieldsFragment,
} from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { useSession } from "#web/platform/session.ts";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { ConfirmDialog, type DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useOpenDialog } from "#web/ui/dialogs.tsx";

/** Button, for owners, that erases a user's personal data for good. Hidden for the admin's own account and erased users. */
export function EraseButton({ user }: { user: UserHeaderFieldsFragment }) {
  const openDialog = useOpenDialog();
  const isOwn = useSession()?.claims.id === user.id;
  const { erasure, isKnown } = useErasure(user);
  const canErase = !isOwn && isKnown && !erasure;
  const ask = () => openDialog(async () => ({ default: EraseDialog }), { user });
  useRequestedAction({ erase: () => canErase && ask() }, isKnown);
  return (
    canErase && (
      <Button variant="light" color="red" onClick={ask}>
        Erase
      </Button>
    )
  );
}

function EraseDialog({ user, opened, onClose }: DialogControl & { user: UserHeaderFieldsFragment }) {
  const { id, firstName, lastName, email } = user;
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const [erase, { client }] = useEraseUserMutation();

  async function confirm() {
    if (cleanEmail(typed).toLowerCase() !== cleanEmail(email).toLowerCase()) {
      setError("Type the email address of this user.");
      // Screen readers read the message with the field.
      return field.current?.focus();
    }
    notify.clearErrors();
    try {
      await erase({ variables: { userId: id } });
      notify.success("The account is closed. Its data is being erased.");
      onClose();
      void client.refetchQueries({ include: "active" }).catch(() => undefined);
    } catch (failure) {
      notify.failure(failure, "Unable to erase the user.");
    }
  }

  return (
    <ConfirmDialog
      opened={opened}
      title="Erase user"
      confirmLabel="Erase"
      danger
      onConfirm={confirm}
      onCancel={onClose}
    >
      <Text>
        Erase all personal data of{" "}
        <strong>
          {firstName} {lastName}
        </strong>
        ? This can’t be undone.
      </Text>
      <List spacing="xs" my="sm">
        <List.Item>They are signed out, and their licences and subscription end now.</List.Item>
        <List.Item>
          Profile, contacts, comments, devices and emails are erased. Tax invoices and the audit log stay, as the law
          requires, without what the law doesn’t need.
        </List.Item>
        <List.Item>They get a last email with the certificate, which this page shows too.</List.Item>
      </List>
      <TextInput
        ref={field}
        label={`Type ${email} to confirm`}
        value={typed}
        error={error}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setError(null);
        }}
      />
    </ConfirmDialog>
  );
}

const POLL_MS = 2_000;

/** Returns the erasure of a user, and whether it is known if there is one. Reads it again while it runs. */
export function useErasure({ id, isActive }: Pick<UserHeaderFieldsFragment, "id" | "isActive">): {
  erasure: ErasureQuery["erasure"];
  isKnown: boolean;
} {
  // An erased account is archived, too.
  const { data, startPolling, stopPolling } = useErasureQuery({ variables: { userId: id }, skip: isActive });
  const isRunning = data?.erasure?.state === "RUNNING";
  useEffect(() => {
    if (!isRunning) return;
    startPolling(POLL_MS);
    return stopPolling;
  }, [isRunning, startPolling, stopPolling]);
  return { erasure: data?.erasure ?? null, isKnown: isActive || data !== undefined };
}
