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

/** The dialog proper, in a file of its own so that pages load it with the first dialog they open. */
export default function DialogModal(props: AppDialogProps) {
  const scheme = useColourScheme();
  return (
    // Nothing else of the portal is Mantine's, so its theme comes with the first dialog too.
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      forceColorScheme={scheme}
      env={use(InTest) ? "test" : "default"}
    >
      <StandingDialog {...props} />
    </MantineProvider>
  );
}

function StandingDialog({ opened, title, onClose, size = "md", children }: AppDialogProps) {
  // Where the focus returns to is noted when a dialog turns open, not when it appears open.
  const [standing, setStanding] = useState(false);
  useEffect(() => setStanding(true), []);
  return (
    <Modal.Root
      opened={opened && standing}
      onClose={onClose}
      size={size}
      centered
      classNames={{ content: classes.content }}
    >
      <Modal.Overlay backgroundOpacity={0.45} blur={2} />
      <Modal.Content>
        {/* A dialog's head is no banner of the page, whatever its element says. */}
        <Modal.Header className={classes.header} role="presentation">
          <Modal.Title className={classes.title}>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close dialog" />
        </Modal.Header>
        <Modal.Body className={classes.body}>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
