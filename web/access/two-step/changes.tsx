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
import { useLast } from "#web/ui/use-last.ts";
import { makePasskey } from "./ask-passkey.ts";
import { NamePasskeyDialog } from "./name-passkey-dialog.tsx";
import { ProveDialog } from "./prove-dialog.tsx";
import { SetUpAppDialog } from "./set-up-app-dialog.tsx";

/** What a person may want to change. */
export type WantedChange =
  | { kind: "add-app"; isChange: boolean }
  | { kind: "add-passkey" | "remove-app" | "renew-codes" | "turn-off" }
  | { kind: "remove-passkey"; passkey: { id: string; name: string } };

interface ChangesProps {
  wanted: WantedChange | null;
  methods: { app: boolean; passkey: boolean } | null;
  /** Only one method is left. */
  isLast: boolean;
  isRequired: boolean;
  onDone: (sentence: string, recoveryCodes?: readonly string[]) => Promise<void>;
  onClose: () => void;
}

/** The dialogs of every change: first the proof, then what the change itself asks. */
export function Changes(props: ChangesProps) {
  const { wanted, methods, isLast, isRequired, onDone, onClose } = props;
  const [setUp, setSetUp] = useState<BeginAuthenticatorAppMutation["beginAuthenticatorApp"] | null>(null);
  const [passkey, setPasskey] = useState<string | null>(null);
  const [beginApp] = useBeginAuthenticatorAppMutation();
  const [beginPasskey] = useBeginPasskeyMutation();
  const [removeApp] = useRemoveAuthenticatorAppMutation();
  const [removePasskey] = useRemovePasskeyMutation();
  const [renewCodes] = useRenewRecoveryCodesMutation();
  const [turnOff] = useTurnOffTwoStepSignInMutation();
  const asked = useLast(wanted);

  const offNow = isRequired
    ? "Two-step sign-in is then off, and until you set it up again everything else is closed to you."
    : "Two-step sign-in is then off: your password alone opens your account, and your recovery codes are deleted.";

  async function change(proof: IdentityProofInput) {
    switch (wanted?.kind) {
      case "add-app": {
        const { data } = await beginApp({ variables: { proof } });
        if (data) setSetUp(data.beginAuthenticatorApp);
        return;
      }
      case "add-passkey": {
        const { data } = await beginPasskey({ variables: { proof } });
        if (data) setPasskey(await makePasskey(data.beginPasskey));
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
        return onDone("You have new recovery codes.", data?.renewRecoveryCodes);
      }
      case "turn-off":
        await turnOff({ variables: { proof } });
        return onDone("You have turned two-step sign-in off.");
      case undefined:
        return;
    }
  }

  function added(what: string, recoveryCodes: readonly string[]) {
    setSetUp(null);
    setPasskey(null);
    const turnedOn = recoveryCodes.length > 0;
    return onDone(turnedOn ? "You have turned two-step sign-in on." : what, recoveryCodes);
  }

  function close() {
    setSetUp(null);
    setPasskey(null);
    onClose();
  }

  const words = wordsOf(asked, isLast ? offNow : null, offNow);
  return (
    <>
      <ProveDialog
        opened={wanted !== null && setUp === null && passkey === null}
        methods={methods}
        onProof={change}
        onClose={close}
        {...words}
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

function wordsOf(
  asked: WantedChange | null,
  afterLast: string | null,
  offNow: string,
): { title: string; confirm: string; danger?: boolean; children?: ReactNode } {
  switch (asked?.kind) {
    case "add-app":
      return {
        title: asked.isChange ? "Change Authenticator App" : "Set Up Authenticator App",
        confirm: "Continue",
        children: <p>{asked.isChange ? "The present app works until the new one does." : PROOF}</p>,
      };
    case "remove-app":
      return {
        title: "Remove Authenticator App",
        confirm: "Remove",
        danger: true,
        children: <p>Its codes will no longer be accepted. {afterLast}</p>,
      };
    case "remove-passkey":
      return {
        title: "Remove Passkey",
        confirm: "Remove",
        danger: true,
        children: (
          <p>
            &lsquo;{asked.passkey.name}&rsquo; will no longer be accepted. {afterLast}
          </p>
        ),
      };
    case "renew-codes":
      return {
        title: "New Recovery Codes",
        confirm: "Continue",
        children: <p>You get ten new codes. Those you have now stop working at once.</p>,
      };
    case "turn-off":
      return { title: "Turn Two-Step Sign-In Off", confirm: "Turn Off", danger: true, children: <p>{offNow}</p> };
    case "add-passkey":
    case undefined:
      return { title: "Add Passkey", confirm: "Continue", children: <p>{PROOF}</p> };
  }
}

const PROOF = "First, please show that it is you.";
