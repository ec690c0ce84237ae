import { MantineContext, Modal } from "@mantine/core";
import { use, useEffect, useState } from "react";
import type { AppDialogProps } from "./confirm-dialog.tsx";
import { PortalTheme } from "./portal-theme.tsx";
import "@mantine/core/styles/UnstyledButton.layer.css";
import "@mantine/core/styles/CloseButton.layer.css";
import "@mantine/core/styles/Paper.layer.css";
import "@mantine/core/styles/Overlay.layer.css";
import "@mantine/core/styles/ModalBase.layer.css";
import "@mantine/core/styles/Modal.layer.css";
import "@mantine/core/styles/ScrollArea.layer.css";

/** The dialog itself, in a separate file so that pages load it with the first dialog they open. */
export default function DialogModal(props: AppDialogProps) {
  // Public pages have no theme of Mantine.
  if (use(MantineContext)) return <MountedDialog {...props} />;
  return (
    <PortalTheme>
      <MountedDialog {...props} />
    </PortalTheme>
  );
}

function MountedDialog({ opened, title, onClose, size = "md", isPersistent = false, children }: AppDialogProps) {
  // Mantine records where to return the focus when a dialog opens, not when it is mounted open.
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return (
    <Modal.Root
      opened={opened && isMounted}
      onClose={onClose}
      size={size}
      centered
      shadow="lg"
      closeOnEscape={!isPersistent}
      closeOnClickOutside={!isPersistent}
    >
      <Modal.Overlay backgroundOpacity={0.45} blur={2} />
      {/* The scroll padding keeps focused fields below the sticky header. */}
      <Modal.Content
        radius="lg"
        bg="var(--xp-raised)"
        bd="1px solid var(--xp-line)"
        style={{ scrollPaddingBlock: "6rem 1rem" }}
      >
        {/* Without the role, the header element would be a second banner of the page. */}
        <Modal.Header role="presentation" bg="inherit" px="lg">
          <Modal.Title fz="1.1875rem" fw={640} lh={1.3}>
            {title}
          </Modal.Title>
          {!isPersistent && <Modal.CloseButton aria-label="Close dialog" />}
        </Modal.Header>
        <Modal.Body px="lg" pb="lg">
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
