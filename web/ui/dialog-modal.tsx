import { MantineProvider, Modal } from "@mantine/core";
import { use, useEffect, useState } from "react";
import { useColourScheme } from "./colour-scheme.ts";
import classes from "./confirm-dialog.module.css";
import type { AppDialogProps } from "./confirm-dialog.tsx";
import { InTest } from "./in-test.ts";
import { cssVariablesResolver, theme } from "./theme.ts";
import "@mantine/core/styles/default-css-variables.layer.css";
import "@mantine/core/styles/UnstyledButton.layer.css";
import "@mantine/core/styles/CloseButton.layer.css";
import "@mantine/core/styles/Paper.layer.css";
import "@mantine/core/styles/global.layer.css";
import "@mantine/core/styles/Overlay.layer.css";
import "@mantine/core/styles/ModalBase.layer.css";
import "@mantine/core/styles/Modal.layer.css";
import "@mantine/core/styles/ScrollArea.layer.css";

/** The dialog itself, in a separate file so that pages load it with the first dialog they open. */
export default function DialogModal(props: AppDialogProps) {
  const scheme = useColourScheme();
  return (
    // Only dialogs use Mantine, so its theme loads with the first dialog.
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      forceColorScheme={scheme}
      env={use(InTest) ? "test" : "default"}
    >
      <MountedDialog {...props} />
    </MantineProvider>
  );
}

function MountedDialog({ opened, title, onClose, size = "md", children }: AppDialogProps) {
  // Mantine records where to return the focus when a dialog opens, not when it is mounted open.
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return (
    <Modal.Root
      opened={opened && isMounted}
      onClose={onClose}
      size={size}
      centered
      classNames={{ content: classes.content }}
    >
      <Modal.Overlay backgroundOpacity={0.45} blur={2} />
      <Modal.Content>
        {/* Without the role, the header element would be a second banner of the page. */}
        <Modal.Header className={classes.header} role="presentation">
          <Modal.Title className={classes.title}>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close dialog" />
        </Modal.Header>
        <Modal.Body className={classes.body}>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
