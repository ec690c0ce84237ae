import { Button, List, Stack } from "@mantine/core";
import { useOpenDialog } from "#web/ui/dialogs.tsx";

/** Explains the effects of deleting an account and opens the confirmation dialog. */
export function DeleteAccount() {
  const openDialog = useOpenDialog();
  return (
    <Stack align="flex-start">
      <Stack gap="xs" maw="42rem" c="dimmed">
        <p>Deleting your account can't be undone. As soon as you confirm:</p>
        <List>
          <List.Item>you are signed out everywhere, and access tokens and webhooks stop working;</List.Item>
          <List.Item>your licences end and the add-in stops converting files;</List.Item>
          <List.Item>any active subscription ends without a refund;</List.Item>
          <List.Item>your name, email address, phone number and address are erased from your account.</List.Item>
        </List>
        <p>
          We then erase your emails, messages, contacts, devices and the personal details in your licence history. This
          usually takes a few seconds, or a few minutes if your history is long. When it's done, we email you a
          certificate that lists what was erased.
        </p>
        <p>
          We keep your tax invoices for 5 years, as required by law. We also keep a hash of your email address and
          devices to prevent repeat free trials.
        </p>
      </Stack>
      <Button color="red" variant="light" onClick={() => openDialog(() => import("./delete-account-dialog.tsx"), {})}>
        Delete my account
      </Button>
    </Stack>
  );
}
