import { Button } from "@mantine/core";
import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { useSecureMyAccountMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";

/** Secures the account after a sign-in or change that the user doesn't recognise. */
export function NotMeButton() {
  const [secure] = useSecureMyAccountMutation();
  const client = useApolloClient();
  const [isOpen, setIsOpen] = useState(false);

  async function confirm() {
    try {
      const { data } = await secure();
      if (data)
        notify.success(
          `Your account is secured. We emailed a link for a new password to ${data.secureMyAccount.email}.`,
        );
      await client.refetchQueries({ include: "active" }).catch(() => undefined);
    } catch (failure) {
      notify.failure(failure, "Unable to secure your account.");
    }
    setIsOpen(false);
  }

  return (
    <>
      <Button color="red" variant="light" onClick={() => setIsOpen(true)}>
        This wasn&apos;t me
      </Button>
      <ConfirmDialog
        opened={isOpen}
        title="Secure your account"
        confirmLabel="Secure account"
        danger
        onConfirm={confirm}
        onCancel={() => setIsOpen(false)}
      >
        You will be signed out everywhere except here. Your personal access tokens will be revoked and your webhook
        endpoints turned off. Your password stops working: we email you a link to choose a new one. We also tell our
        staff.
      </ConfirmDialog>
    </>
  );
}
