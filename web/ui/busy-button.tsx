import { type MouseEvent, type ReactNode, useRef, useState } from "react";
import { rememberFocus } from "#web/platform/focus.ts";
import { Button, type ButtonProps } from "./button.tsx";
import { useDialogBusy } from "./dialog-busy.ts";

export interface BusyButtonProps extends ButtonProps {
  /** Called when the button is pressed. Further presses are ignored until its promise settles. */
  onPress: () => unknown;
  /** Accessible name for when the visible text doesn't distinguish the button from others. Must start with the visible text. */
  label?: string;
  children: ReactNode;
}

/**
 * A button that shows that its action is running and can't be pressed again until it ends. If it disappears with what the action
 * changed, the focus goes to the part of the page around it.
 */
export function BusyButton({ onPress, label, children, ...props }: BusyButtonProps) {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  useDialogBusy(busy);

  async function press({ currentTarget }: MouseEvent<HTMLButtonElement>) {
    if (running.current) return;
    running.current = true;
    // A dialog returns the focus itself.
    const returnFocus = currentTarget.closest("[role=dialog]") ? null : rememberFocus(currentTarget);
    setBusy(true);
    try {
      await onPress();
    } finally {
      running.current = false;
      setBusy(false);
      const { activeElement, body } = document;
      if (activeElement === currentTarget || (activeElement === body && !currentTarget.isConnected)) returnFocus?.();
    }
  }

  return (
    <Button aria-label={label} loading={busy} onClick={(event) => void press(event)} {...props}>
      {children}
    </Button>
  );
}
