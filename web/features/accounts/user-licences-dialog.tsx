import { Link } from "react-router-dom";
import { shownMachineName } from "#schema/machine-name.ts";
import { paths } from "#web/app/paths.ts";
import { LicenceStatusBadge } from "#web/features/licences/licence-status.tsx";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { dateAndTime, lastSeen } from "#web/ui/moments.ts";
import { useLast } from "#web/ui/use-last.ts";
import classes from "./user-licences-dialog.module.css";
import type { ListedUser } from "./users-table.tsx";
import { Button } from "#web/ui/button.tsx";

/** A user's licences with their devices; `user` is null while the dialog is closed. */
export function UserLicencesDialog(props: { user: ListedUser | null; onClose: () => void }) {
  const { onClose } = props;
  const user = useLast(props.user);
  return (
    <AppDialog
      opened={props.user !== null}
      title={user ? `Licences of ${user.firstName} ${user.lastName}` : "Licences"}
      size="lg"
      onClose={onClose}
    >
      {user && (
        <>
          {user.licences.length === 0 && <p className={classes.none}>No Licences.</p>}
          <ul className={classes.licences}>
            {user.licences.map((licence) => (
              <li key={licence.id} className={classes.licence}>
                <div className={classes.head}>
                  <h3>
                    {licence.product} {licence.subscriptionLevel}
                  </h3>
                  <LicenceStatusBadge status={licence.status} />
                </div>
                <p className={classes.fact}>
                  Expires {dateAndTime(licence.expiresAt)} · {licence.devices.length} of {licence.numberOfMachines}{" "}
                  {licence.numberOfMachines === 1 ? "device" : "devices"}
                </p>
                <p className={classes.fact}>
                  Support code {licence.supportCode} ·{" "}
                  <Link to={paths.licenceHistory.href({ licenceId: licence.id })}>Explain This Licence</Link>
                </p>
                {licence.devices.length > 0 && (
                  <>
                    <ul className={classes.devices}>
                      {licence.devices.map((device) => (
                        <li key={device.id}>
                          <span>{shownMachineName(device.machineName)}</span>
                          <span className={classes.fact}>Last Seen {lastSeen(device.lastSeenAt)} UTC</span>
                        </li>
                      ))}
                    </ul>
                    <Link to={paths.activatedDevices.href({ licenceId: licence.id, userId: user.id })}>
                      Manage Activated Devices
                    </Link>
                  </>
                )}
              </li>
            ))}
          </ul>
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
          </DialogActions>
        </>
      )}
    </AppDialog>
  );
}
