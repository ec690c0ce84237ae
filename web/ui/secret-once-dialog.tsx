import { Button, Code, Paper, Stack, Text } from "@mantine/core";
import { IconCheck, IconCopy, IconDownload } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { saveAsFile } from "#web/platform/save-as-file.ts";
import { copyText } from "./copy-button.tsx";
import { AppDialog, DialogActions } from "./confirm-dialog.tsx";
import { useLeaveGuard } from "./form/leave-guard.tsx";

export interface SecretOnceDialogProps {
  opened: boolean;
  title: string;
  /** A secret, or a list of codes. */
  secret: string | readonly string[];
  /** Accessible name of the secret. */
  label: string;
  /** Notification after copying. */
  successMessage: string;
  onClose: () => void;
  /** Content above the secret. */
  before: ReactNode;
  /** Content below the secret. */
  after?: ReactNode;
  /** Offers the secret as a text file. */
  file?: { readonly name: string; readonly content: string };
  /** Label of the button that closes the dialog. Default `I’ve saved it`. */
  doneLabel?: string;
}

const leaveQuestion = {
  title: "Leave without saving it?",
  message: "You haven't copied what is shown here, and it can't be shown again.",
  verb: "Leave",
};

/**
 * Shows a secret that can't be shown again. Copy has the focus, and neither Escape nor a click outside, Back or a reload can
 * lose the secret before it has been saved.
 */
export function SecretOnceDialog({ opened, ...props }: SecretOnceDialogProps) {
  return (
    // The key resets the state for the next secret.
    <OneSecret key={[props.secret].flat().join("\n")} opened={opened} {...props} />
  );
}

function OneSecret(props: SecretOnceDialogProps) {
  const { opened, title, secret, label, successMessage, onClose, before, after, ...rest } = props;
  const { file, doneLabel = "I’ve saved it" } = rest;
  const [isSaved, setIsSaved] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  const guard = useLeaveGuard(opened && !isSaved, leaveQuestion);
  // Escape closes dialogs (docs/domain.md#dialogs), but this secret can't be shown again. Until it has been saved, with a
  // button or by hand, only the button that confirms it closes the dialog.
  const leave = () => (isSaved ? onClose() : setIsWarned(true));
  const CopyIcon = isSaved ? IconCheck : IconCopy;
  const text = [secret].flat().join("\n");

  return (
    <>
      <AppDialog opened={opened} title={title} size="lg" onClose={leave}>
        <Stack gap="xs">{before}</Stack>
        {typeof secret === "string" ? (
          <Code
            display="block"
            my="md"
            p="md"
            fz="md"
            fw={600}
            bd="1px dashed var(--xp-line-strong)"
            style={{ overflowWrap: "anywhere", userSelect: "all" }}
            aria-label={label}
            onCopy={() => setIsSaved(true)}
          >
            {secret}
          </Code>
        ) : (
          <CodeList codes={secret} label={label} onCopy={() => setIsSaved(true)} />
        )}
        {after}
        {/* Always rendered, so that screen readers announce changes. */}
        <Text role="status" mt="md" c="red" fw={600}>
          {isWarned && !isSaved && `Not copied yet. Copy it first, or press “${doneLabel}”.`}
        </Text>
        <DialogActions>
          <Button
            variant="default"
            data-autofocus
            leftSection={<CopyIcon size={18} stroke={1.8} aria-hidden="true" />}
            onClick={() => void copyText(text, successMessage).then((done) => done && setIsSaved(true))}
          >
            Copy
          </Button>
          {file && (
            <Button
              variant="default"
              leftSection={<IconDownload size={18} stroke={1.8} aria-hidden="true" />}
              onClick={() => {
                saveAsFile(file.name, file.content, "text/plain");
                setIsSaved(true);
              }}
            >
              Download
            </Button>
          )}
          <Button onClick={onClose}>{doneLabel}</Button>
        </DialogActions>
      </AppDialog>
      {guard.dialog}
    </>
  );
}

function CodeList({ codes, label, onCopy }: { codes: readonly string[]; label: string; onCopy: () => void }) {
  return (
    <Paper
      component="ol"
      bg="var(--xp-sunken)"
      bd="1px dashed var(--xp-line-strong)"
      m={0}
      mt="md"
      p="md"
      display="grid"
      style={{ gridTemplateColumns: "repeat(auto-fill, minmax(12.5rem, 1fr))", gap: "0.5rem 1rem", listStyle: "none" }}
      aria-label={label}
      onCopy={onCopy}
    >
      {codes.map((code) => (
        <li key={code}>
          <Code bg="none" fz="md" fw={600} data-break="never">
            {code}
          </Code>
        </li>
      ))}
    </Paper>
  );
}
