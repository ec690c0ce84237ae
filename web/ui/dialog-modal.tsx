import { MantineContext, Modal } from "@mantine/core";
import { use, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { createStore } from "#web/platform/store.ts";
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
  useReturnFocus(opened);
  const isTop = useIsTopDialog(opened && isMounted);
  return (
    <Modal.Root
      opened={opened && isMounted}
      onClose={onClose}
      size={size}
      centered
      yOffset="min(5dvh, 1rem)"
      shadow="lg"
      closeOnEscape={isTop && !isPersistent}
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
        <Modal.Body ref={markFirstField} px="lg" pb="lg">
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Gives the first field of a dialog the initial focus, which otherwise goes to the close button. */
function markFirstField(body: HTMLElement | null): void {
  if (!body || body.querySelector("[data-autofocus]")) return;
  const fields =
    ':is(input:not([type=hidden], [type=radio]:not(:checked), [tabindex="-1"]), select, textarea):not(:disabled)';
  body.querySelector(fields)?.setAttribute("data-autofocus", "");
}

/** Returns the focus from a dialog that is unmounted while it is open. Mantine does it only when a dialog closes. */
function useReturnFocus(opened: boolean): void {
  const isOpen = useRef(opened);
  useLayoutEffect(() => {
    isOpen.current = opened;
  }, [opened]);
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      const isLost = document.activeElement === document.body;
      if (isOpen.current && isLost && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
}

const openDialogs = createStore<readonly string[]>([]);

/** Returns whether a dialog was opened last. Escape closes only that one, and keeps the input of the dialog below. */
function useIsTopDialog(opened: boolean): boolean {
  const id = useId();
  useEffect(() => {
    if (!opened) return undefined;
    openDialogs.set([...openDialogs.get(), id]);
    return () => openDialogs.set(openDialogs.get().filter((other) => other !== id));
  }, [id, opened]);
  return openDialogs.use().at(-1) === id;
}
