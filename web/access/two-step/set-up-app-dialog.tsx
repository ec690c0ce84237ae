import { codeRules, type CodeValues } from "#schema/rules/two-step.ts";
import { type BeginAuthenticatorAppMutation, useConfirmAuthenticatorAppMutation } from "#web/generated/graphql.ts";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import { useLast } from "#web/ui/use-last.ts";
import classes from "./two-step.module.css";
import { Button } from "#web/ui/button.tsx";
import { encode } from "uqr";

type SetUp = BeginAuthenticatorAppMutation["beginAuthenticatorApp"];

interface SetUpAppDialogProps {
  /** What the app is to be given; null while the dialog is closed. */
  setUp: SetUp | null;
  /** The app works; the recovery codes, when this turned two-step sign-in on. */
  onDone: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
}

/** Hands the secret over to an authenticator app, and asks for its first code. */
export function SetUpAppDialog({ setUp, onDone, onClose }: SetUpAppDialogProps) {
  const shown = useLast(setUp);
  return (
    <AppDialog opened={setUp !== null} title="Set Up Authenticator App" size="lg" onClose={onClose}>
      {shown && <SetUpApp setUp={shown} onDone={onDone} onClose={onClose} />}
    </AppDialog>
  );
}

function SetUpApp({ setUp, onDone, onClose }: SetUpAppDialogProps & { setUp: SetUp }) {
  const [confirmApp] = useConfirmAuthenticatorAppMutation();
  const form = useAppForm(codeRules, { defaultValues: { code: "" } });

  async function send(input: CodeValues) {
    const { data } = await confirmApp({ variables: { input } });
    onDone(data?.confirmAuthenticatorApp ?? []);
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to check the code." label="Set Up Authenticator App">
      <div className={classes.setUp}>
        <QrCode text={setUp.uri} label="QR code for your authenticator app" />
        <div className={classes.text}>
          <p>
            <b>1.</b> Open your authenticator app and scan the picture. Any app for one-time codes will do.
          </p>
          <p>
            You can't scan it? Type this key into the app:{" "}
            <code className={classes.secret}>{inGroups(setUp.secret)}</code>
          </p>
          <CopyButton text={setUp.secret} label="Copy Key" size="xs" said="The key has been copied to clipboard." />
        </div>
      </div>
      <p className={classes.text}>
        <span>
          <b>2.</b> Enter the code that the app shows now.
        </span>
      </p>
      <TextField
        control={form.control}
        name="code"
        label="Code"
        hint="6 digits."
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        isCode
      />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Confirm</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}

const inGroups = (secret: string) => secret.match(/.{1,4}/g)?.join(" ") ?? "";

/** A text as a QR code, black on white in either colour scheme, as cameras want it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 3 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
