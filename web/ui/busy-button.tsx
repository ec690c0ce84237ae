import { type ReactNode, useRef, useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";

export interface BusyButtonProps extends ButtonProps {
  /** Called once until its promise settles, however often the button is pressed. */
  onPress: () => unknown;
  /** Accessible name for when the visible text doesn't distinguish the button from others. Must start with the visible text. */
  label?: string;
  children: ReactNode;
}

/** A button that shows that its action is running and can't be pressed again meanwhile. */
export function BusyButton({ onPress, label, children, ...props }: BusyButtonProps) {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);

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
