import { Stack } from "@mantine/core";
import { Moment } from "#web/ui/moment.tsx";
import { formatMachineName } from "#schema/machine-name.ts";
import { type TakenSeatFragment, useFreeSeatMutation } from "#web/generated/graphql.ts";
import { confirmAction } from "#web/ui/dialogs.tsx";

/** Returns a function that releases a seat that is in use, after a confirmation. */
export function useReleaseSeat(onReleased: () => void): (seat: TakenSeatFragment) => void {
  const [releaseSeat] = useFreeSeatMutation();
  return ({ id, osUser, device, borrowedUntil }) =>
    confirmAction({
      title: "Release seat",
      confirmLabel: "Release",
      danger: true,
      text: (
        <Stack gap="sm">
          <p>
            {osUser ?? "The user"} on {formatMachineName(device.machineName)} loses this seat. The add-in notices at its
            next heartbeat and can request another seat. This can't be undone.
          </p>
          {borrowedUntil && (
            <p>
              This seat is borrowed. The device can keep working offline until <Moment at={borrowedUntil} />, so one
              more user than the licence allows can work until then.
            </p>
          )}
        </Stack>
      ),
      failure: "Unable to release the seat.",
      run: async () => {
        await releaseSeat({ variables: { leaseId: id } });
        onReleased();
      },
      success: "The seat has been released.",
    });
}
