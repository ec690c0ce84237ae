import { Badge } from "#web/ui/badge.tsx";
import { type ReactNode, useRef, useState } from "react";
import { useTwoStepSignInQuery } from "#web/generated/graphql.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { formatDate } from "#schema/dates.ts";
import { notify } from "#web/platform/notifications.ts";
import { Button, LinkButton } from "#web/ui/button.tsx";
import { lazyDialog } from "#web/ui/lazy-dialog.tsx";
import { formatError } from "#web/platform/server-error.ts";
import type { RequestedChange } from "./two-step-change-dialogs.tsx";
import classes from "./two-step.module.css";

const RecoveryCodesDialog = lazyDialog(
  () => import("./recovery-codes-dialog.tsx").then((file) => file.RecoveryCodesDialog),
  ({ codes }) => codes !== null,
);

const Changes = lazyDialog(
  () => import("./two-step-change-dialogs.tsx").then((file) => file.TwoStepChangeDialogs),
  ({ wanted }) => wanted !== null,
);

/**
 * Settings for two-step sign-in and its methods. `returnTo` is the page that an admin left to complete the required
 * setup.
 */
export function TwoStepSignIn({ returnTo }: { returnTo: string }) {
  const { data, error, refetch } = useTwoStepSignInQuery({ fetchPolicy: "network-only" });
  const [requested, setRequested] = useState<RequestedChange | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const state = useRef<HTMLParagraphElement>(null);

  if (error && !data)
    return (
      <ErrorState
        message={formatError(error, "Unable to fetch your two-step sign-in settings.")}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <LoadingBlock label="Loading your two-step sign-in settings" />;
  const { onSince, isRequired, appAddedAt, passkeys, recoveryCodesLeft } = data.twoStepSignIn;
  const isOn = onSince !== null && onSince !== undefined;

  /** Reports a completed change. Shows `recoveryCodes` first, if there are any. */
  async function finish(message: string, recoveryCodes: readonly string[] = []) {
    setRequested(null);
    if (recoveryCodes.length > 0) setCodes(recoveryCodes);
    notify.success(message);
    await refetch().catch(() => undefined);
    // The pressed button may have disappeared with its row.
    if (recoveryCodes.length === 0) state.current?.focus();
  }

  return (
    <>
      <section className={classes.card} aria-label="State">
        <div className={classes.head}>
          <p ref={state} tabIndex={-1} className={classes.state}>
            {isOn ? `Two-step sign-in has been on since ${formatDate(onSince)}.` : "Two-step sign-in is off."}
          </p>
          <Badge tone={isOn ? "calm" : "quiet"}>{isOn ? "On" : "Off"}</Badge>
        </div>
        {isRequired && !isOn ? (
          <p className={classes.demand} role="note">
            Admins must use two-step sign-in here. Set it up to use the rest of the portal.
          </p>
        ) : (
          <p className={classes.hint}>
            {isOn
              ? "You sign in with your password and one of these methods."
              : "It protects your account even if someone knows your password. Your current sessions stay signed in."}
          </p>
        )}
        {isRequired && isOn && <LinkButton to={returnTo}>Continue</LinkButton>}
      </section>

      <ul className={classes.methods} aria-label="Methods">
        <MethodRow
          name="Authenticator app"
          facts={appAddedAt ? `Added ${formatDate(appAddedAt)}` : "Six digits from an app on your phone."}
        >
          <Button
            variant={isOn ? "default" : "filled"}
            onClick={() => setRequested({ kind: "add-app", isChange: !!appAddedAt })}
          >
            {appAddedAt ? "Change app" : "Set up app"}
          </Button>
          {appAddedAt && (
            <Button variant="light" color="red" onClick={() => setRequested({ kind: "remove-app" })}>
              Remove app
            </Button>
          )}
        </MethodRow>
        <MethodRow name="Passkeys" facts="Your fingerprint, face, screen lock or a security key.">
          <Button variant={isOn ? "default" : "filled"} onClick={() => setRequested({ kind: "add-passkey" })}>
            Add passkey
          </Button>
          {passkeys.length > 0 && (
            <ul className={classes.passkeys} aria-label="Passkeys">
              {passkeys.map((passkey) => (
                <li key={passkey.id}>
                  <span className={classes.passkey}>
                    <b id={`passkey-${passkey.id}`}>{passkey.name}</b>
                    <span>
                      Added {formatDate(passkey.addedAt)}
                      {passkey.lastUsedAt ? ` · Last used ${formatDate(passkey.lastUsedAt)}` : " · Never used"}
                    </span>
                  </span>
                  <Button
                    variant="light"
                    color="red"
                    size="xs"
                    aria-describedby={`passkey-${passkey.id}`}
                    onClick={() => setRequested({ kind: "remove-passkey", passkey })}
                  >
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </MethodRow>
        {isOn && (
          <MethodRow
            name="Recovery codes"
            facts={recoveryCodesLeft === 1 ? "1 code left." : `${recoveryCodesLeft} codes left.`}
            warns={recoveryCodesLeft < 3}
          >
            <Button variant="default" onClick={() => setRequested({ kind: "renew-codes" })}>
              Create new codes
            </Button>
          </MethodRow>
        )}
      </ul>
      {isOn && (
        <Button color="red" variant="light" onClick={() => setRequested({ kind: "turn-off" })}>
          Turn off
        </Button>
      )}
      <Changes
        wanted={requested}
        methods={isOn ? { app: !!appAddedAt, passkey: passkeys.length > 0 } : null}
        isLast={Number(!!appAddedAt) + passkeys.length === 1}
        isRequired={isRequired}
        onDone={finish}
        onClose={() => setRequested(null)}
      />
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />
    </>
  );
}

/** A method with its name, status and actions. */
function MethodRow(props: { name: string; facts: string; warns?: boolean; children: ReactNode }) {
  const { name, facts, warns = false, children } = props;
  return (
    <li className={classes.method}>
      <div>
        <h2 className={classes.name}>{name}</h2>
        <p className={classes.hint} data-warns={warns || undefined}>
          {facts}
        </p>
      </div>
      <div className={classes.actions}>{children}</div>
    </li>
  );
}
