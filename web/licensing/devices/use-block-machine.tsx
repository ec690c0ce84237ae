import { Text } from "@mantine/core";
import { formatMachineName } from "#schema/machine-name.ts";
import { useBlockMachineOfMutation } from "#web/generated/graphql.ts";
import { confirmAction } from "#web/ui/dialogs.tsx";

/** Returns a function that blocks a device's machine on all licences of a customer, after a confirmation. */
export function useBlockMachine(userId: string): (device: { id: string; machineName: string }) => void {
  const [block] = useBlockMachineOfMutation();
  return (device) => {
    const name = formatMachineName(device.machineName);
    confirmAction({
      title: "Block this machine",
      confirmLabel: "Block",
      danger: true,
      text: (
        <>
          <Text fw={600} mb="xs" style={{ overflowWrap: "anywhere" }}>
            {name}
          </Text>
          <p>
            From its next licence check, a device with this name can&rsquo;t use any of this user&rsquo;s licences. It
            still counts towards the device limit until you deactivate it. You can unblock it under User Details.
          </p>
        </>
      ),
      failure: "Unable to block the machine.",
      run: () => block({ variables: { userId, deviceId: device.id } }),
      success: `${name} is blocked on every licence of this user.`,
    });
  };
}
