import { useEffect, useEffectEvent } from "react";

/** Calls `onPress` when a key is pressed outside fields and dialogs, without Ctrl, Alt or ⌘. */
export function useShortcut(key: string, onPress: () => void): void {
  const press = useEffectEvent(onPress);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || document.querySelector("[role=dialog]")) return;
      event.preventDefault();
      press();
    };
    document.addEventListener("keydown", handleKey);
    return () => document.removeEventListener("keydown", handleKey);
  }, [key]);
}

/** Returns whether an event comes from a field for text or a choice. Checkboxes don't use letters or arrow keys. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("input:not([type=checkbox]), textarea, select, [contenteditable=true]") !== null
  );
}
