import classes from "./loading-block.module.css";
import { ScheduleStrip } from "./schedule-strip.tsx";

/** Stands where content will be. Appears after a moment, so that quick answers don't flicker. */
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
