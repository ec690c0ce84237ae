import { Button } from "@mantine/core";
import { useCallback, useEffect, useState } from "react";
import { brand } from "#schema/brand.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { notify } from "#web/ui/notifications.ts";
import { codeOf, messageOf } from "#web/ui/server-error.ts";
import { ChangeEmailDialog } from "./change-email-dialog.tsx";
import { resendConfirmation, unconfirmedAddress } from "./email-confirmation.ts";
import classes from "./email-confirmation-panel.module.css";
import { InvalidConfirmation } from "./invalid-confirmation.tsx";

type State =
  | { kind: "loading" }
  | { kind: "waiting"; email: string }
  | { kind: "invalid" }
  | { kind: "failed"; message: string };

/** Where the confirmation link was sent, and what to do when it does not arrive (spec, public §2). */
export function EmailConfirmationPanel({ handle }: { handle: string }) {
  const [state, setState] = useState<State>({ kind: "loading" });
  const [changing, setChanging] = useState(false);

  const load = useCallback(
    () =>
      unconfirmedAddress(handle).then(
        (email) => setState(email === null ? { kind: "invalid" } : { kind: "waiting", email }),
        (error: unknown) =>
          setState(
            codeOf(error) === "NOT_FOUND"
              ? { kind: "invalid" }
              : { kind: "failed", message: messageOf(error, "Unable to load the data.") },
          ),
      ),
    [handle],
  );
  useEffect(() => void load(), [load]);

  if (state.kind === "loading") return <LoadingBlock label="Loading your registration" />;
  if (state.kind === "invalid") return <InvalidConfirmation />;
  if (state.kind === "failed")
    return (
      <ErrorState
        message={state.message}
        onRetry={() => {
          setState({ kind: "loading" });
          void load();
        }}
      />
    );

  async function resend() {
    try {
      await resendConfirmation(handle);
      notify.success("We have sent the email confirmation link to your email address.");
    } catch (error) {
      notify.failure(error, "Unable to re-send the confirmation.");
    }
  }

  return (
    <div className={classes.panel}>
      <p>We have sent an email confirmation link to</p>
      <p className={classes.address}>{state.email}</p>
      <p>
        Open the link in that mail to confirm your address. It works for 72 hours and signs you in. Nothing there? Look
        into your spam folder, have it sent again, or correct the address.
      </p>
      <div className={classes.actions}>
        <BusyButton onPress={resend}>Re-send Email</BusyButton>
        <Button variant="default" onClick={() => setChanging(true)}>
          Change Email Address
        </Button>
      </div>
      <p className={classes.help}>
        Still stuck? Write to <a href={`mailto:${brand.mailboxes.support.email}`}>{brand.mailboxes.support.email}</a>.
      </p>
      <ChangeEmailDialog
        opened={changing}
        handle={handle}
        onClose={() => setChanging(false)}
        onChanged={(email) => {
          setState({ kind: "waiting", email });
          setChanging(false);
        }}
      />
    </div>
  );
}
