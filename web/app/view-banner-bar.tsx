import { IconEye } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { removeSession, type Session } from "#web/platform/session.ts";
import { stopViewing } from "#web/access/sessions/sign-out.ts";
import classes from "./view-banner-bar.module.css";

export default function ViewBannerBar({ session }: { session: Session }) {
  const left = useSecondsLeft(session.expiresAt);
  const over = left <= 0;
  useEffect(() => {
    if (over) removeSession();
  }, [over]);
  const { givenName, familyName, email } = session.claims;
  const name = `${givenName} ${familyName}`.trim() || email;
  return (
    <section className={classes.banner} aria-label="Viewing as a customer">
      <div className={classes.inner}>
        <IconEye size={20} stroke={1.9} aria-hidden="true" />
        <p className={classes.words}>
          <span role="status" className={classes.who}>
            <span className={classes.long}>You are viewing the portal as</span>
            <span className={classes.short} aria-hidden="true">
              Viewing as
            </span>{" "}
            <b style={{ overflow: "hidden", textOverflow: "ellipsis" }}>{name}</b>{" "}
            <span className={classes.mode}>· read-only</span>
          </span>{" "}
          {/* Outside the status element, because screen readers would announce every second. */}
          <span>
            <span className={classes.short} aria-hidden="true">
              read-only{" "}
            </span>
            · <b style={{ fontVariantNumeric: "tabular-nums" }}>{minutesAndSeconds(left)}</b> left
          </span>
        </p>
        <button type="button" className={classes.stop} onClick={() => void stopViewing()}>
          Stop viewing
        </button>
      </div>
    </section>
  );
}

/** Returns the number of whole seconds left until a time by this browser's clock, never below 0. */
function useSecondsLeft(until: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((until - now) / 1_000));
}

function minutesAndSeconds(seconds: number): string {
  return [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, "0")).join(":");
}
