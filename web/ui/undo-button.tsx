import { useRef } from "react";
import { notify } from "#web/platform/notifications.ts";
import { useShortcut } from "#web/platform/use-shortcut.ts";
import { Button } from "./button.tsx";

/** Undoes the action of a notification once. The key `u` moves the focus to it, which also stops the timer. */
export default function UndoButton({ id, undo }: { id: number; undo: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useShortcut("u", () => button.current?.focus());
  return (
    <Button
      ref={button}
      variant="default"
      size="sm"
      aria-keyshortcuts="u"
      onClick={() => {
        notify.dismiss(id);
        undo();
      }}
    >
      Undo
    </Button>
  );
}
