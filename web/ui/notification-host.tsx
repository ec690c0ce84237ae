import { IconAlertTriangle, IconCircleCheck, IconX } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import classes from "./notification-host.module.css";
import { rememberFocus } from "#web/platform/focus.ts";
import { type Notice, notices, notify } from "#web/platform/notifications.ts";
import { useShortcut } from "#web/platform/use-shortcut.ts";
import { Button, IconButton } from "./button.tsx";

/**
 * Shows errors at the top right, at most 500 px wide, and successes at the bottom, where they don't cover the heading, form or
 * first rows that they confirm. The page gets room for them below its end.
 */
export function NotificationHost() {
  const shown = notices.use();
  return (["error", "success"] as const).map((tone) => (
    // A polite live region has to exist before its content, or screen readers don't announce it. An alert may arrive with it.
    <div key={tone} className={classes.host} data-tone={tone} aria-live={tone === "success" ? "polite" : undefined}>
      {shown
        .filter((notice) => notice.tone === tone)
        .map((notice) => (
          <NoticeCard key={notice.id} notice={notice} />
        ))}
    </div>
  ));
}

function NoticeCard({ notice }: { notice: Notice }) {
  const { id, tone, message, durationMs, undo } = notice;
  const [isPaused, setPaused] = useState(false);
  const returnFocus = useRef<(() => void) | null>(null);
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => notify.dismiss(id), durationMs);
    return () => clearTimeout(timer);
  }, [isPaused, id, durationMs]);

  /** Removes the notification with its buttons, and returns the focus to where the user was. */
  function dismiss() {
    returnFocus.current?.();
    notify.dismiss(id);
  }

  const Icon = tone === "error" ? IconAlertTriangle : IconCircleCheck;
  return (
    <div
      className={classes.notice}
      data-tone={tone}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={({ currentTarget, relatedTarget }) => {
        setPaused(true);
        if (!currentTarget.contains(relatedTarget)) returnFocus.current = rememberFocus(relatedTarget);
      }}
      onBlur={() => setPaused(false)}
    >
      <Icon size={22} stroke={1.8} color="var(--tone-text)" aria-hidden="true" />
      <p className={classes.message} data-break="anywhere" role={tone === "error" ? "alert" : "status"}>
        {message}
      </p>
      {undo && (
        <UndoButton
          onClick={() => {
            dismiss();
            undo();
          }}
        />
      )}
      <IconButton label="Dismiss notification" className={classes.close} onClick={dismiss}>
        <IconX size={18} stroke={2} aria-hidden="true" />
      </IconButton>
    </div>
  );
}

/** The key `u` moves the focus to the button, which also stops the timer. */
function UndoButton({ onClick }: { onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useShortcut("u", () => button.current?.focus());
  return (
    <Button ref={button} variant="default" size="sm" aria-keyshortcuts="u" onClick={onClick}>
      Undo
    </Button>
  );
}
