import { Code, Group, Stack } from "@mantine/core";
import { codeRules, type CodeValues } from "#schema/account.ts";
import { type BeginAuthenticatorAppMutation, useConfirmAuthenticatorAppMutation } from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { encode } from "uqr";

type SetUp = BeginAuthenticatorAppMutation["beginAuthenticatorApp"];

interface SetUpAppDialogProps extends DialogControl {
  setUp: SetUp;
  /** Called once the app is confirmed, with the recovery codes if this turned two-step sign-in on. */
  onDone: (recoveryCodes: readonly string[]) => void;
}

/** Dialog that shows the secret for an authenticator app and confirms its first code. */
export default function SetUpAppDialog({ setUp, onDone, ...dialog }: SetUpAppDialogProps) {
  const [confirmApp] = useConfirmAuthenticatorAppMutation();
  const form = useAppForm(codeRules, { defaultValues: { code: "" } });

  async function send(input: CodeValues) {
    const { data } = await confirmApp({ variables: { input } });
    dialog.onClose();
    onDone(data?.confirmAuthenticatorApp.codes ?? []);
  }

  return (
    <FormDialog
      {...dialog}
      title="Set up authenticator app"
      size="lg"
      isPersistent
      form={form}
      onSubmit={send}
      fallback="Unable to check the code."
      submit="Confirm"
    >
      <Group justify="center" align="flex-start">
        <QrCode text={setUp.uri} label="QR code for your authenticator app" />
        <Stack gap="xs" align="flex-start" flex="1 1 14rem">
          <p>
            <b>1.</b> Open your authenticator app and scan the QR code. You can use any app for one-time codes.
          </p>
          <p>
            Can't scan it? Enter this key in the app:{" "}
            <Code display="block" mt="xs" p="xs" fz="sm" fw={600} style={{ userSelect: "all" }}>
              {formatSecret(setUp.secret)}
            </Code>
          </p>
          <CopyButton
            text={setUp.secret}
            label="Copy key"
            size="xs"
            successMessage="The key has been copied to clipboard."
          />
        </Stack>
      </Group>
      <p>
        <b>2.</b> Enter the code from the app.
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
    </FormDialog>
  );
}

const formatSecret = (secret: string) => secret.match(/.{1,4}/g)?.join(" ") ?? "";

/** Text as a QR code, drawn black on white in both colour schemes so that cameras can read it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 3 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg
      width={176}
      height={176}
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
