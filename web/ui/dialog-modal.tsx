import { MantineContext, Modal } from "@mantine/core";
import { type FocusEvent, use, useEffect, useId, useRef, useState } from "react";
import { rememberFocus } from "#web/platform/focus.ts";
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
  // Mantine shows the transition of a dialog that opens, not of one that is mounted open.
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  const id = useId();
  const rememberOpener = useReturnFocus(opened, id);
  const isTop = useIsTopDialog(opened && isMounted, id);
  return (
    <Modal.Root
      id={id}
      opened={opened && isMounted}
      onClose={onClose}
      returnFocus={false}
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
        onFocus={rememberOpener}
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

/**
 * Returns the focus when a dialog closes or is unmounted. Mantine does it only when a dialog closes, and loses the focus if
 * the button that opened it is gone, such as that of a deleted row.
 * @returns handles the focus events in the dialog
 */
function useReturnFocus(opened: boolean, id: string): (event: FocusEvent) => void {
  const returnFocus = useRef<(() => void) | null>(null);
  useEffect(() => {
    if (!opened) return undefined;
    return () => {
      const { activeElement } = document;
      const isLeft = activeElement === document.body || document.getElementById(id)?.contains(activeElement);
      if (isLeft) returnFocus.current?.();
      returnFocus.current = null;
    };
  }, [id, opened]);
  return ({ relatedTarget }) => {
    returnFocus.current ??= rememberFocus(relatedTarget);
  };
}

const openDialogs = createStore<readonly string[]>([]);

/** Returns whether a dialog was opened last. Escape closes only that one, and keeps the input of the dialog below. */
function useIsTopDialog(opened: boolean, id: string): boolean {
  useEffect(() => {
    if (!opened) return undefined;
    openDialogs.set([...openDialogs.get(), id]);
    return () => openDialogs.set(openDialogs.get().filter((other) => other !== id));
  }, [id, opened]);
  return openDialogs.use().at(-1) === id;
}
