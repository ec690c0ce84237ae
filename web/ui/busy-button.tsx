import { type ReactNode, useRef, useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";
import { useDialogBusy } from "./dialog-busy.ts";

export interface BusyButtonProps extends ButtonProps {
  /** Called when the button is pressed. Further presses are ignored until its promise settles. */
  onPress: () => unknown;
  /** Accessible name for when the visible text doesn't distinguish the button from others. Must start with the visible text. */
  label?: string;
  children: ReactNode;
}

/** A button that shows that its action is running and can't be pressed again until it ends. */
export function BusyButton({ onPress, label, children, ...props }: BusyButtonProps) {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  useDialogBusy(busy);

  async function press() {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await onPress();
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  return (
    <Button aria-label={label} loading={busy} onClick={() => void press()} {...props}>
      {children}
    </Button>
  );
}
