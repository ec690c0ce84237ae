import { shownMachineName } from "#schema/machine-name.ts";
import { type TakenSeatFragment, useFreeSeatMutation } from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { formatDateTime } from "#schema/dates.ts";
import { notify } from "#web/platform/notifications.ts";
import { useLast } from "#web/ui/use-last.ts";
import classes from "./free-seat-dialog.module.css";

/** Asks before somebody's seat is taken from them; `seat` is null while the dialog is closed. */
export function FreeSeatDialog(props: { seat: TakenSeatFragment | null; onClose: () => void; onFreed: () => void }) {
  const { onClose, onFreed } = props;
  const seat = useLast(props.seat);
  const [free] = useFreeSeatMutation();

  async function confirm() {
    if (!seat) return;
    notify.clearErrors();
    try {
      await free({ variables: { leaseId: seat.id } });
      notify.success("The seat is free.");
      onClose();
      onFreed();
    } catch (error) {
      notify.failure(error, "Unable to free the seat.");
    }
  }

  return (
    <ConfirmDialog opened={props.seat !== null} title="Free Seat" danger onConfirm={confirm} onCancel={onClose}>
      {seat && (
        <div className={classes.words}>
          <p>
            {seat.osUser ?? "Whoever works there"} on {shownMachineName(seat.device.machineName)} loses this seat. The
            add-in notices at its next heartbeat, and may ask for another.
          </p>
          {seat.borrowedUntil && (
            <p>
              The seat is borrowed: that machine goes on without a connection until {formatDateTime(seat.borrowedUntil)}
              , so until then one more may work than the licence allows.
            </p>
          )}
        </div>
      )}
    </ConfirmDialog>
  );
}
