import { Text } from "@mantine/core";
import { formatMachineName } from "#schema/machine-name.ts";
import { useBlockMachineOfMutation } from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { useLastValue } from "#web/platform/use-last-value.ts";

/** Dialog for blocking a machine on all licences of a customer. `device` is null while the dialog is closed. */
export function BlockMachineDialog(props: {
  userId: string;
  device: { id: string; machineName: string } | null;
  onClose: () => void;
}) {
  const { userId, onClose } = props;
  const device = useLastValue(props.device);
  const [block] = useBlockMachineOfMutation();
  const name = formatMachineName(device?.machineName ?? "");

  async function confirm() {
    notify.clearErrors();
    if (!device) return;
    try {
      await block({ variables: { userId, deviceId: device.id } });
      notify.success(`${name} is blocked on every licence of this user.`);
      onClose();
    } catch (error) {
      notify.failure(error, "Unable to block the machine.");
    }
  }

  return (
    <ConfirmDialog
      opened={props.device !== null}
      title="Block this machine"
      confirmLabel="Block"
      danger
      onConfirm={confirm}
      onCancel={onClose}
    >
      <Text fw={600} mb="xs" style={{ overflowWrap: "anywhere" }}>
        {name}
      </Text>
      <p>
        From its next licence check, a device with this name can&rsquo;t use any of this user&rsquo;s licences. It still
        counts towards the device limit until you deactivate it. You can unblock it under User Details.
      </p>
    </ConfirmDialog>
  );
}
