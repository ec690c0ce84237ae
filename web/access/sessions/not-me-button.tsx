import { Button } from "@mantine/core";
import { useApolloClient } from "@apollo/client/react";
import { useSecureMyAccountMutation } from "#web/generated/graphql.ts";
import { confirmAction } from "#web/ui/dialogs.tsx";

/** Secures the account after a sign-in or change that the user doesn't recognise. */
export function NotMeButton() {
  const [secure] = useSecureMyAccountMutation();
  const client = useApolloClient();
  const ask = () =>
    confirmAction({
      title: "Secure your account",
      confirmLabel: "Secure account",
      danger: true,
      text: "You will be signed out everywhere except here. Your personal access tokens will be revoked and your webhook endpoints turned off. Your password stops working: we email you a link to choose a new one. We also tell our staff.",
      run: () => secure(),
      success: ({ data }) =>
        `Your account is secured. We emailed a link for a new password to ${data?.secureMyAccount.email}.`,
      failure: "Unable to secure your account.",
      onSettled: () => client.refetchQueries({ include: "active" }).catch(() => undefined),
    });
  return (
    <Button color="red" variant="light" onClick={ask}>
      This wasn&apos;t me
    </Button>
  );
}
