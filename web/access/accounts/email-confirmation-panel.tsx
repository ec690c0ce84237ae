import { lazyDialog } from "#web/ui/lazy-dialog.tsx";
import { useCallback, useEffect, useState } from "react";
import { brand } from "#schema/brand.ts";
import { loginHref, paths } from "#web/platform/paths.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { notify } from "#web/platform/notifications.ts";
import { Button, LinkButton } from "#web/ui/button.tsx";
import { codeOf, messageOf } from "#web/platform/server-error.ts";
import { resendConfirmation, type UnconfirmedAddress, unconfirmedAddress } from "./email-confirmation.ts";
import classes from "./email-confirmation-panel.module.css";
import { InvalidConfirmation } from "./invalid-confirmation.tsx";

const ChangeEmailDialog = lazyDialog(
  () => import("./change-email-dialog.tsx").then((file) => file.ChangeEmailDialog),
  ({ opened }) => opened,
);

type State =
  | { kind: "loading" }
  | ({ kind: "waiting" } & UnconfirmedAddress)
  | { kind: "invalid" }
  | { kind: "failed"; message: string };

/**
 * Where the confirmation link was sent, and what to do when it does not arrive. The address of an
 * account that changes can only be corrected signed in.
 */
export function EmailConfirmationPanel({ handle }: { handle: string }) {
  const [state, setState] = useState<State>({ kind: "loading" });
  const [changing, setChanging] = useState(false);

  const load = useCallback(
    () =>
      unconfirmedAddress(handle).then(
        (waiting) => setState(waiting === null ? { kind: "invalid" } : { kind: "waiting", ...waiting }),
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
        Open the link in that mail to confirm your address. It works for 72 hours and signs you in.
        {state.isChange && " Until then your old address stays the one you sign in with."} Nothing there? Look into your
        spam folder, have it sent again, or {state.isChange ? "sign in to correct it" : "correct the address"}.
      </p>
      <div className={classes.actions}>
        <BusyButton onPress={resend}>Re-send Email</BusyButton>
        {state.isChange ? (
          // Whoever holds this page's address could otherwise send the link, and with it the account, to themselves.
          <LinkButton to={loginHref(paths.updateProfile.href())} variant="default">
            Login
          </LinkButton>
        ) : (
          <Button variant="default" onClick={() => setChanging(true)}>
            Change Email Address
          </Button>
        )}
      </div>
      <p className={classes.help}>
        Still stuck? Write to <a href={`mailto:${brand.mailboxes.support.email}`}>{brand.mailboxes.support.email}</a>.
      </p>
      <ChangeEmailDialog
        opened={changing}
        handle={handle}
        onClose={() => setChanging(false)}
        onChanged={(email) => {
          setState({ kind: "waiting", email, isChange: false });
          setChanging(false);
        }}
      />
    </div>
  );
}
