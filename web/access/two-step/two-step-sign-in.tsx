import { Badge } from "#web/ui/badge.tsx";
import { type ReactNode, useRef, useState } from "react";
import { useTwoStepSignInQuery } from "#web/generated/graphql.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { formatDate } from "#schema/dates.ts";
import { notify } from "#web/platform/notifications.ts";
import { Button, LinkButton } from "#web/ui/button.tsx";
import { lazyDialog } from "#web/ui/lazy-dialog.tsx";
import { messageOf } from "#web/platform/server-error.ts";
import type { WantedChange } from "./changes.tsx";
import classes from "./two-step.module.css";

const RecoveryCodesDialog = lazyDialog(
  () => import("./recovery-codes-dialog.tsx").then((file) => file.RecoveryCodesDialog),
  ({ codes }) => codes !== null,
);

const Changes = lazyDialog(
  () => import("./changes.tsx").then((file) => file.Changes),
  ({ wanted }) => wanted !== null,
);

/** Turning two-step sign-in on and off, and its methods. `goOn` is where an admin who had to set it up came from. */
export function TwoStepSignIn({ goOn }: { goOn: string }) {
  const { data, error, refetch } = useTwoStepSignInQuery({ fetchPolicy: "network-only" });
  const [wanted, setWanted] = useState<WantedChange | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const state = useRef<HTMLParagraphElement>(null);

  if (error && !data)
    return (
      <ErrorState message={messageOf(error, "Unable to fetch your two-step sign-in.")} onRetry={() => void refetch()} />
    );
  if (!data) return <LoadingBlock label="Loading your two-step sign-in" />;
  const { onSince, isRequired, appAddedAt, passkeys, recoveryCodesLeft } = data.twoStepSignIn;
  const isOn = onSince !== null && onSince !== undefined;

  /** What was asked has been done. `recoveryCodes`, if any, are shown before all else. */
  async function done(sentence: string, recoveryCodes: readonly string[] = []) {
    setWanted(null);
    if (recoveryCodes.length > 0) setCodes(recoveryCodes);
    notify.success(sentence);
    await refetch().catch(() => undefined);
    // The button that was pressed may be gone with its row.
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
            Admins sign in in two steps here. Until you have set it up, everything else is closed to you.
          </p>
        ) : (
          <p className={classes.hint}>
            {isOn
              ? "Signing in asks for your password, and then for one of these."
              : "With it, somebody who knows your password still can't get in. You stay signed in where you are."}
          </p>
        )}
        {isRequired && isOn && <LinkButton to={goOn}>Go On</LinkButton>}
      </section>

      <ul className={classes.methods} aria-label="Methods">
        <MethodRow
          name="Authenticator app"
          facts={appAddedAt ? `Added ${formatDate(appAddedAt)}` : "Six digits from an app on your phone."}
        >
          <Button
            variant={isOn ? "default" : "filled"}
            onClick={() => setWanted({ kind: "add-app", isChange: !!appAddedAt })}
          >
            {appAddedAt ? "Change App" : "Set Up App"}
          </Button>
          {appAddedAt && (
            <Button variant="light" color="red" onClick={() => setWanted({ kind: "remove-app" })}>
              Remove App
            </Button>
          )}
        </MethodRow>
        <MethodRow name="Passkeys" facts="Your fingerprint, face, screen lock or a security key.">
          <Button variant={isOn ? "default" : "filled"} onClick={() => setWanted({ kind: "add-passkey" })}>
            Add Passkey
          </Button>
          {passkeys.length > 0 && (
            <ul className={classes.passkeys} aria-label="Passkeys">
              {passkeys.map((passkey) => (
                <li key={passkey.id}>
                  <span className={classes.passkey}>
                    <b id={`passkey-${passkey.id}`}>{passkey.name}</b>
                    <span>
                      Added {formatDate(passkey.addedAt)}
                      {passkey.lastUsedAt ? ` · Last used ${formatDate(passkey.lastUsedAt)}` : " · Not used yet"}
                    </span>
                  </span>
                  <Button
                    variant="light"
                    color="red"
                    size="xs"
                    aria-describedby={`passkey-${passkey.id}`}
                    onClick={() => setWanted({ kind: "remove-passkey", passkey })}
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
            facts={recoveryCodesLeft === 1 ? "1 is left." : `${recoveryCodesLeft} are left.`}
            warns={recoveryCodesLeft < 3}
          >
            <Button variant="default" onClick={() => setWanted({ kind: "renew-codes" })}>
              New Recovery Codes
            </Button>
          </MethodRow>
        )}
      </ul>
      {isOn && (
        <Button color="red" variant="light" onClick={() => setWanted({ kind: "turn-off" })}>
          Turn Off
        </Button>
      )}
      <Changes
        wanted={wanted}
        methods={isOn ? { app: !!appAddedAt, passkey: passkeys.length > 0 } : null}
        isLast={Number(!!appAddedAt) + passkeys.length === 1}
        isRequired={isRequired}
        onDone={done}
        onClose={() => setWanted(null)}
      />
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />
    </>
  );
}

/** One way to prove the second step: its name, what there is to know, and what can be done. */
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
