import { IconWifiOff } from "@tabler/icons-react";
import { useIsOffline } from "#web/platform/connection.ts";
import classes from "./offline-banner.module.css";

/** Shows a status message above the page while the browser is offline. */
export function OfflineBanner() {
  const offline = useIsOffline();
  return (
    // The live region has to exist before its content, or screen readers don't announce it.
    <div className={classes.place} aria-live="polite" data-screen-only>
      {offline && (
        <p className={classes.banner} role="status">
          <IconWifiOff size={18} stroke={1.9} aria-hidden="true" />
          <span>You're offline. We'll reconnect automatically.</span>
        </p>
      )}
    </div>
  );
}
