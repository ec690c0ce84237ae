import { Button, Code, Paper, Stack } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { brand } from "#schema/brand.ts";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { CopyButton } from "#web/public-ui/copy-button.tsx";
import { saveAsFile } from "#web/platform/save-as-file.ts";
import { useLastValue } from "#web/platform/use-last-value.ts";

/** Shows new recovery codes once. `codes` is null while the dialog is closed. */
export function RecoveryCodesDialog(props: { codes: readonly string[] | null; onClose: () => void }) {
  const { onClose } = props;
  const codes = useLastValue(props.codes) ?? [];
  const file = `Recovery codes for ${brand.name}\nEach code works once, in place of your app or passkey.\n\n${codes.join("\n")}\n`;
  return (
    <AppDialog opened={props.codes !== null} title="Your recovery codes" size="lg" onClose={onClose}>
      <Stack gap="xs">
        <p>
          Save these ten codes somewhere you can reach without your phone. Each works once, in place of your app or
          passkey.
        </p>
        <p>
          <b>Save the codes now. You won't see them again.</b>
        </p>
      </Stack>
      <Paper
        component="ol"
        bg="var(--xp-sunken)"
        bd="1px dashed var(--xp-line-strong)"
        m={0}
        mt="md"
        p="md"
        display="grid"
        style={{
          gridTemplateColumns: "repeat(auto-fill, minmax(12.5rem, 1fr))",
          gap: "0.5rem 1rem",
          listStyle: "none",
        }}
        aria-label="Recovery codes"
      >
        {codes.map((code) => (
          <li key={code}>
            <Code bg="none" fz="md" fw={600} style={{ whiteSpace: "nowrap" }}>
              {code}
            </Code>
          </li>
        ))}
      </Paper>
      <DialogActions>
        <CopyButton
          text={codes.join("\n")}
          label="Copy"
          successMessage="Your recovery codes have been copied to clipboard."
        />
        <Button
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.8} aria-hidden="true" />}
          onClick={() => saveAsFile("recovery-codes.txt", file, "text/plain")}
        >
          Download
        </Button>
        <Button onClick={onClose}>I have saved my codes</Button>
      </DialogActions>
    </AppDialog>
  );
}
