import { Text } from "@mantine/core";
import { Link } from "react-router-dom";
import { getHelpPath } from "#schema/help-articles.ts";
import { AppDialog, DialogActions, type DialogControl } from "#web/ui/confirm-dialog.tsx";
import { Button } from "#web/ui/button.tsx";
import { MailLink } from "#web/ui/mail-link.tsx";

/** Explains that the deactivation limit is reached, and shows how to contact support. */
export default function DeactivationLimitDialog({ opened, message, onClose }: DialogControl & { message: string }) {
  return (
    <AppDialog opened={opened} title="Deactivation limit reached" onClose={onClose}>
      <Text c="dimmed" mb="sm">
        {message}
      </Text>
      <Text data-break="anywhere">
        <MailLink to="support" /> <Link to={getHelpPath("DEACTIVATION_LIMIT_EXCEEDED")}>Read more</Link>
      </Text>
      <DialogActions>
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </AppDialog>
  );
}
