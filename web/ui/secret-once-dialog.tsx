import { Button, Code, Stack, Text } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { AppDialog, DialogActions } from "./confirm-dialog.tsx";
import { copyText } from "#web/public-ui/copy-button.tsx";

export interface SecretOnceDialogProps {
  opened: boolean;
  title: string;
  secret: string;
  /** Accessible name of the secret. */
  label: string;
  /** Notification after copying. */
  successMessage: string;
  onClose: () => void;
  /** Content above the secret. */
  before: ReactNode;
  /** Content below the secret. */
  after?: ReactNode;
}

/** Shows a secret that can't be shown again. Copy has the focus, and the dialog can't be closed by accident. */
export function SecretOnceDialog({ opened, ...props }: SecretOnceDialogProps) {
  return (
    // The key resets the state for the next secret.
    <OneSecret key={props.secret} opened={opened} {...props} />
  );
}

function OneSecret({ opened, title, secret, label, successMessage, onClose, before, after }: SecretOnceDialogProps) {
  const [isCopied, setIsCopied] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  // Escape closes dialogs (docs/domain.md#dialogs), but this secret can't be shown again. Until it has been copied, with the
  // button or by hand, only the button that confirms it closes the dialog.
  const leave = () => (isCopied ? onClose() : setIsWarned(true));
  const Icon = isCopied ? IconCheck : IconCopy;

  return (
    <AppDialog opened={opened} title={title} size="lg" onClose={leave}>
      <Stack gap="xs">{before}</Stack>
      <Code
        display="block"
        my="md"
        p="md"
        fz="md"
        fw={600}
        bd="1px dashed var(--xp-line-strong)"
        style={{ overflowWrap: "anywhere", userSelect: "all" }}
        aria-label={label}
        onCopy={() => setIsCopied(true)}
      >
        {secret}
      </Code>
      {after}
      {/* Always rendered, so that screen readers announce changes. */}
      <Text role="status" mt="md" c="red" fw={600}>
        {isWarned && !isCopied && "Not copied yet. Copy it first, or press “I’ve saved it”."}
      </Text>
      <DialogActions>
        <Button
          variant="default"
          data-autofocus
          leftSection={<Icon size={18} stroke={1.8} aria-hidden="true" />}
          onClick={() => void copyText(secret, successMessage).then((done) => done && setIsCopied(true))}
        >
          Copy
        </Button>
        <Button onClick={onClose}>I’ve saved it</Button>
      </DialogActions>
    </AppDialog>
  );
}
