import { IconAlertTriangle, IconCircleCheck, IconX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import classes from "./notification-host.module.css";
import { type Notice, notices, notify } from "#web/platform/notifications.ts";
import { IconButton } from "./button.tsx";
import { lazyPart } from "./lazy-part.tsx";

const UndoButton = lazyPart(() => import("./undo-button.tsx"), "nothing", null);

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
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => notify.dismiss(id), durationMs);
    return () => clearTimeout(timer);
  }, [isPaused, id, durationMs]);

  const Icon = tone === "error" ? IconAlertTriangle : IconCircleCheck;
  return (
    <div
      className={classes.notice}
      data-tone={tone}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      <Icon size={22} stroke={1.8} color="var(--tone-text)" aria-hidden="true" />
      <p className={classes.message} data-break="anywhere" role={tone === "error" ? "alert" : "status"}>
        {message}
      </p>
      {undo && <UndoButton id={id} undo={undo} />}
      <IconButton label="Dismiss notification" className={classes.close} onClick={() => notify.dismiss(id)}>
        <IconX size={18} stroke={2} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
