import type { ReactNode } from "react";
import {
  type IdentityProofInput,
  useBeginAuthenticatorAppMutation,
  useBeginPasskeyMutation,
  useRemoveAuthenticatorAppMutation,
  useRemovePasskeyMutation,
  useRenewRecoveryCodesMutation,
  useTurnOffTwoStepSignInMutation,
} from "#web/generated/graphql.ts";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { createPasskey } from "./passkey-prompt.ts";

type RequestedChange =
  | { kind: "add-app"; isChange: boolean }
  | { kind: "add-passkey" | "remove-app" | "renew-codes" | "turn-off" }
  | { kind: "remove-passkey"; passkey: { id: string; name: string } };

interface TwoStepState {
  methods: { app: boolean; passkey: boolean } | null;
  /** True if only one method is left. */
  isLast: boolean;
  isRequired: boolean;
  /** True if only one passkey is left, and the user must have one. */
  isLastPasskeyRequired: boolean;
  onDone: (sentence: string, recoveryCodes?: readonly string[]) => unknown;
}

/** Returns a function that starts a change: first the proof of identity, then the input the change needs. */
export function useTwoStepChange(state: TwoStepState) {
  const { methods, isLast, isRequired, isLastPasskeyRequired, onDone } = state;
  const openDialog = useOpenDialog();
  const [beginApp] = useBeginAuthenticatorAppMutation();
  const [beginPasskey] = useBeginPasskeyMutation();
  const [removeApp] = useRemoveAuthenticatorAppMutation();
  const [removePasskey] = useRemovePasskeyMutation();
  const [renewCodes] = useRenewRecoveryCodesMutation();
  const [turnOff] = useTurnOffTwoStepSignInMutation();

  const turnedOff = isRequired
    ? "This turns two-step sign-in off. You can't use anything else until you set it up again."
    : "This turns two-step sign-in off and deletes your recovery codes. You will then sign in with only your password.";

  const afterLast = isLast ? turnedOff : null;
  const afterPasskey = isLastPasskeyRequired
    ? "Admins must sign in with a passkey here. You can't use anything else until you add one again."
    : null;

  const added = (message: string) => (recoveryCodes: readonly string[]) =>
    void onDone(recoveryCodes.length > 0 ? "You have turned two-step sign-in on." : message, recoveryCodes);

  async function change(wanted: RequestedChange, proof: IdentityProofInput): Promise<() => unknown> {
    switch (wanted.kind) {
      case "add-app": {
        const setUp = (await beginApp({ variables: { proof } })).data?.beginAuthenticatorApp;
        const onAdded = added("The authenticator app has been added.");
        return () => setUp && openDialog(() => import("./set-up-app-dialog.tsx"), { setUp, onDone: onAdded });
      }
      case "add-passkey": {
        const { data } = await beginPasskey({ variables: { proof } });
        const passkey = data && (await createPasskey(data.beginPasskey.options));
        const onAdded = added("The passkey has been added.");
        return () => passkey && openDialog(() => import("./name-passkey-dialog.tsx"), { passkey, onDone: onAdded });
      }
      case "remove-app":
        await removeApp({ variables: { proof } });
        return () => onDone("The authenticator app has been removed.");
      case "remove-passkey":
        await removePasskey({ variables: { id: wanted.passkey.id, proof } });
        return () => onDone("The passkey has been removed.");
      case "renew-codes": {
        const { data } = await renewCodes({ variables: { proof } });
        return () => onDone("Your new recovery codes are ready.", data?.renewRecoveryCodes.codes);
      }
      case "turn-off":
        await turnOff({ variables: { proof } });
        return () => onDone("You have turned two-step sign-in off.");
    }
  }

  return (wanted: RequestedChange) =>
    openDialog(() => import("./identity-proof-dialog.tsx"), {
      methods,
      onProof: (proof) => change(wanted, proof),
      ...describeChange(wanted, { app: afterLast, passkey: afterLast ?? afterPasskey, turnedOff }),
    });
}

/** The second parameter says what else happens if a method is removed, or if two-step sign-in is turned off. */
function describeChange(
  wanted: RequestedChange,
  { app, passkey, turnedOff }: { app: string | null; passkey: string | null; turnedOff: string },
): { title: string; confirm: string; danger?: boolean; children?: ReactNode } {
  switch (wanted.kind) {
    case "add-app":
      return {
        title: wanted.isChange ? "Change authenticator app" : "Set up authenticator app",
        confirm: "Continue",
        children: <p>{wanted.isChange ? "Your current app keeps working until you confirm the new one." : PROOF}</p>,
      };
    case "remove-app":
      return {
        title: "Remove authenticator app",
        confirm: "Remove",
        danger: true,
        children: <p>Its codes will no longer be accepted. {app}</p>,
      };
    case "remove-passkey":
      return {
        title: "Remove passkey",
        confirm: "Remove",
        danger: true,
        children: (
          <p>
            &lsquo;{wanted.passkey.name}&rsquo; will no longer be accepted. {passkey}
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
      return { title: "Add passkey", confirm: "Continue", children: <p>{PROOF}</p> };
  }
}

const PROOF = "First, confirm that it's you.";
