import { Suspense, useState } from "react";
import classes from "./your-data.module.css";
import { Button } from "#web/ui/button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";

/** Brings the form machinery along, so it comes when it is asked for. */
const DeleteAccountDialog = lazyPart(
  async () => ({ default: (await import("./delete-account-dialog.tsx")).DeleteAccountDialog }),
  "notification",
);

/** Explains what deleting an account does and opens the dialog that confirms it. */
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
        <p>Deleting your account cannot be undone. Immediately:</p>
        <ul>
          <li>you are signed out everywhere, and access tokens and webhooks stop working;</li>
          <li>your licences end and the add-in stops converting;</li>
          <li>a running subscription ends, without a refund;</li>
          <li>your name, email address, phone number and address are erased from your account.</li>
        </ul>
        <p>
          We then erase your emails, messages, contacts, devices and the personal details in your licence history. This
          takes seconds, or a few minutes if your history is long. When it is done, we email you a certificate that
          lists what was erased.
        </p>
        <p>
          We keep tax invoices for the 5 years that the law requires, and a hash of your email address and devices so
          that each of them has only one free trial.
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
