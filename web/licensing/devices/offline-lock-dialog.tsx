import { Stack, Text } from "@mantine/core";
import { formatMachineName } from "#schema/machine-name.ts";
import { Button } from "#web/ui/button.tsx";
import { AppDialog, DialogActions, type DialogControl } from "#web/ui/confirm-dialog.tsx";
import type { ShownDevice } from "./device-cards.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { MailLink } from "#web/ui/mail-link.tsx";

/** Explains why a customer can't deactivate a device with a licence file, until when, and how to contact support. */
export default function OfflineLockDialog({ device, opened, onClose }: DialogControl & { device: ShownDevice }) {
  return (
    <AppDialog opened={opened} title="Device is locked" onClose={onClose}>
      {device.offlineUntil && (
        <Stack gap="sm" c="dimmed" data-break="anywhere">
          <Text fw={600} c="bright">
            {formatMachineName(device.machineName)}
          </Text>
          <p>
            This device was activated offline. Its licence file works without a connection, so the device is locked
            until the file expires. You can deactivate it from <Moment at={device.offlineUntil} />.
          </p>
          <p>
            If the device is lost or broken, contact support at <MailLink to="support" />.
          </p>
        </Stack>
      )}
      <DialogActions>
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </AppDialog>
  );
}
