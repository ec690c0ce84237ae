import { useEffect, useState } from "react";
import { ScheduleStrip } from "#web/ui/pictures/schedule-strip.tsx";
import { Button } from "./button.tsx";
import layout from "./layout.module.css";
import classes from "./message-state.module.css";

/** Time after which loading is slow, in milliseconds. The request may never be answered. */
export const SLOW_MS = 12_000;

/** Message for content that is still loading after {@link SLOW_MS}. */
export const STILL_LOADING = "This is taking longer than usual. Check your connection, or reload the page.";

/** Returns true once a component has been shown for {@link SLOW_MS}. */
export function useIsSlow(): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSlow;
}

/**
 * A placeholder for loading content. It appears after a delay, so fast responses don't cause flicker. If the content doesn't
 * come, it offers to reload the page.
 */
export function LoadingBlock({ label = "Loading", tall = false }: { label?: string; tall?: boolean }) {
  const isSlow = useIsSlow();
  return (
    // A live region before the late message, or screen readers don't announce it.
    <div className={classes.block} style={{ minHeight: tall ? "60vh" : "10rem" }} aria-live="polite">
      <progress className={layout.hidden} aria-label={label} />
      <ScheduleStrip moving />
      <span style={{ color: "var(--xp-muted)", fontSize: "0.9375rem" }} aria-hidden="true">
        {label}…
      </span>
      {isSlow && (
        <>
          <p role="status">{STILL_LOADING}</p>
          <Button variant="default" onClick={() => window.location.reload()}>
            Reload
          </Button>
        </>
      )}
    </div>
  );
}
