import { Suspense, useState } from "react";
import classes from "./your-data.module.css";
import { Button } from "#web/ui/button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";

/** Brings the form machinery along, so it comes when it is asked for. */
const DeleteAccountDialog = lazyPart(
  async () => ({ default: (await import("./delete-account-dialog.tsx")).DeleteAccountDialog }),
  "notification",
);

/** Says what deleting means, and asks once more in a dialog. */
export function DeleteAccount() {
  const [opened, setOpened] = useState(false);
  const [asked, setAsked] = useState(false);

  function ask() {
    setAsked(true);
    setOpened(true);
  }

  return (
    <div className={classes.part}>
      <div className={classes.text}>
        <p>Deleting your account cannot be undone. At once:</p>
        <ul>
          <li>you are signed out everywhere;</li>
          <li>your licences end and the add-in stops converting;</li>
          <li>a running subscription ends, without a refund;</li>
          <li>your name, email address, phone number and address are erased.</li>
        </ul>
        <p>
          We keep the records that tax law asks of us, and a note that your email address and devices have had their
          free trial.
        </p>
      </div>
      <Button color="red" variant="light" onClick={ask}>
        Delete My Account
      </Button>
      {asked && (
        <Suspense fallback={null}>
          <DeleteAccountDialog opened={opened} onCancel={() => setOpened(false)} />
        </Suspense>
      )}
    </div>
  );
}
