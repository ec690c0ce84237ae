import { Stack } from "@mantine/core";
import { formatMachineName } from "#schema/machine-name.ts";
import { type TakenSeatFragment, useFreeSeatMutation } from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { notify } from "#web/platform/notifications.ts";
import { useLastValue } from "#web/platform/use-last-value.ts";
import { Moment } from "#web/ui/moment.tsx";

/** Confirms releasing a seat that is in use; `seat` is null while the dialog is closed. */
export function ReleaseSeatDialog(props: { seat: TakenSeatFragment | null; onClose: () => void; onFreed: () => void }) {
  const { onClose, onFreed } = props;
  const seat = useLastValue(props.seat);
  const [releaseSeat] = useFreeSeatMutation();

  async function confirm() {
    if (!seat) return;
    notify.clearErrors();
    try {
      await releaseSeat({ variables: { leaseId: seat.id } });
      notify.success("The seat has been released.");
      onClose();
      onFreed();
    } catch (error) {
      notify.failure(error, "Unable to release the seat.");
    }
  }

  return (
    <ConfirmDialog
      opened={props.seat !== null}
      title="Release seat"
      confirmLabel="Release"
      danger
      onConfirm={confirm}
      onCancel={onClose}
    >
      {seat && (
        <Stack gap="sm">
          <p>
            {seat.osUser ?? "The user"} on {formatMachineName(seat.device.machineName)} loses this seat. The add-in
            notices at its next heartbeat and can request another seat. This can't be undone.
          </p>
          {seat.borrowedUntil && (
            <p>
              This seat is borrowed. The device can keep working offline until <Moment at={seat.borrowedUntil} />, so
              one more user than the licence allows can work until then.
            </p>
          )}
        </Stack>
      )}
    </ConfirmDialog>
  );
}
