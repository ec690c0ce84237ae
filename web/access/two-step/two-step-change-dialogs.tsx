import { type ReactNode, useState } from "react";
import {
  type BeginAuthenticatorAppMutation,
  type IdentityProofInput,
  useBeginAuthenticatorAppMutation,
  useBeginPasskeyMutation,
  useRemoveAuthenticatorAppMutation,
  useRemovePasskeyMutation,
  useRenewRecoveryCodesMutation,
  useTurnOffTwoStepSignInMutation,
} from "#web/generated/graphql.ts";
import { useLastValue } from "#web/platform/use-last-value.ts";
import { createPasskey } from "./passkey-prompt.ts";
import { NamePasskeyDialog } from "./name-passkey-dialog.tsx";
import { IdentityProofDialog } from "./identity-proof-dialog.tsx";
import { SetUpAppDialog } from "./set-up-app-dialog.tsx";

/** Change to two-step sign-in that the user requested. */
export type RequestedChange =
  | { kind: "add-app"; isChange: boolean }
  | { kind: "add-passkey" | "remove-app" | "renew-codes" | "turn-off" }
  | { kind: "remove-passkey"; passkey: { id: string; name: string } };

interface ChangesProps {
  wanted: RequestedChange | null;
  methods: { app: boolean; passkey: boolean } | null;
  /** True if only one method is left. */
  isLast: boolean;
  isRequired: boolean;
  onDone: (sentence: string, recoveryCodes?: readonly string[]) => Promise<void>;
  onClose: () => void;
}

/** Dialogs for each change: first the proof of identity, then the input the change needs. */
export function TwoStepChangeDialogs(props: ChangesProps) {
  const { wanted, methods, isLast, isRequired, onDone, onClose } = props;
  const [setUp, setSetUp] = useState<BeginAuthenticatorAppMutation["beginAuthenticatorApp"] | null>(null);
  const [passkey, setPasskey] = useState<string | null>(null);
  const [beginApp] = useBeginAuthenticatorAppMutation();
  const [beginPasskey] = useBeginPasskeyMutation();
  const [removeApp] = useRemoveAuthenticatorAppMutation();
  const [removePasskey] = useRemovePasskeyMutation();
  const [renewCodes] = useRenewRecoveryCodesMutation();
  const [turnOff] = useTurnOffTwoStepSignInMutation();
  const shownChange = useLastValue(wanted);

  const turnedOff = isRequired
    ? "This turns two-step sign-in off. You can't use anything else until you set it up again."
    : "This turns two-step sign-in off and deletes your recovery codes. You will then sign in with only your password.";

  async function change(proof: IdentityProofInput) {
    switch (wanted?.kind) {
      case "add-app": {
        const { data } = await beginApp({ variables: { proof } });
        if (data) setSetUp(data.beginAuthenticatorApp);
        return;
      }
      case "add-passkey": {
        const { data } = await beginPasskey({ variables: { proof } });
        if (data) setPasskey(await createPasskey(data.beginPasskey.options));
        return;
      }
      case "remove-app":
        await removeApp({ variables: { proof } });
        return onDone("The authenticator app has been removed.");
      case "remove-passkey":
        await removePasskey({ variables: { id: wanted.passkey.id, proof } });
        return onDone("The passkey has been removed.");
      case "renew-codes": {
        const { data } = await renewCodes({ variables: { proof } });
        return onDone("Your new recovery codes are ready.", data?.renewRecoveryCodes.codes);
      }
      case "turn-off":
        await turnOff({ variables: { proof } });
        return onDone("You have turned two-step sign-in off.");
      case undefined:
        return;
    }
  }

  function added(message: string, recoveryCodes: readonly string[]) {
    setSetUp(null);
    setPasskey(null);
    const turnedOn = recoveryCodes.length > 0;
    return onDone(turnedOn ? "You have turned two-step sign-in on." : message, recoveryCodes);
  }

  function close() {
    setSetUp(null);
    setPasskey(null);
    onClose();
  }

  const dialogText = describeChange(shownChange, isLast ? turnedOff : null, turnedOff);
  return (
    <>
      <IdentityProofDialog
        opened={wanted !== null && setUp === null && passkey === null}
        methods={methods}
        onProof={change}
        onClose={close}
        {...dialogText}
      />
      <SetUpAppDialog
        setUp={setUp}
        onDone={(codes) => void added("The authenticator app has been added.", codes)}
        onClose={close}
      />
      <NamePasskeyDialog
        passkey={passkey}
        onDone={(codes) => void added("The passkey has been added.", codes)}
        onClose={close}
      />
    </>
  );
}

function describeChange(
  shownChange: RequestedChange | null,
  afterLast: string | null,
  turnedOff: string,
): { title: string; confirm: string; danger?: boolean; children?: ReactNode } {
  switch (shownChange?.kind) {
    case "add-app":
      return {
        title: shownChange.isChange ? "Change authenticator app" : "Set up authenticator app",
        confirm: "Continue",
        children: (
          <p>{shownChange.isChange ? "Your current app keeps working until you confirm the new one." : PROOF}</p>
        ),
      };
    case "remove-app":
      return {
        title: "Remove authenticator app",
        confirm: "Remove",
        danger: true,
        children: <p>Its codes will no longer be accepted. {afterLast}</p>,
      };
    case "remove-passkey":
      return {
        title: "Remove passkey",
        confirm: "Remove",
        danger: true,
        children: (
          <p>
            &lsquo;{shownChange.passkey.name}&rsquo; will no longer be accepted. {afterLast}
          </p>
        ),
      };
    case "renew-codes":
      return {
        title: "Create new recovery codes",
        confirm: "Continue",
        children: <p>You will get ten new codes. Your current codes will stop working.</p>,
      };
    case "turn-off":
      return { title: "Turn off two-step sign-in", confirm: "Turn off", danger: true, children: <p>{turnedOff}</p> };
    case "add-passkey":
    case undefined:
      return { title: "Add passkey", confirm: "Continue", children: <p>{PROOF}</p> };
  }
}

const PROOF = "First, confirm that it's you.";
