import classes from "./loading-block.module.css";
import { ScheduleStrip } from "#web/pictures/schedule-strip.tsx";

/** A placeholder for loading content. It appears after a delay, so fast responses don't cause flicker. */
export function LoadingBlock({ label = "Loading", tall = false }: { label?: string; tall?: boolean }) {
  return (
    <div className={classes.block} data-tall={tall || undefined}>
      <progress className={classes.hidden} aria-label={label} />
      <ScheduleStrip moving />
      <span className={classes.label} aria-hidden="true">
        {label}…
      </span>
    </div>
  );
}
