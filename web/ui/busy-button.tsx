import { type ReactNode, useRef, useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";

export interface BusyButtonProps extends ButtonProps {
  /** Runs once however often the button is pressed, until its promise settles. */
  onPress: () => unknown;
  /** What a screen reader says, where the words alone do not tell one such button from another; begins with them. */
  label?: string;
  children: ReactNode;
}

/** A button whose work takes time: shows it and can't be fired twice. */
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
