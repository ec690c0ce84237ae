import classes from "./schedule-strip.module.css";

/** The brand's ornament: one row of schedule bars with a milestone. Says nothing, so it is hidden from readers. */
export function ScheduleStrip({ moving = false }: { moving?: boolean }) {
  return (
    <span className={classes.strip} data-moving={moving || undefined} aria-hidden="true">
      <i className={classes.done} />
      <i className={classes.bar} />
      <i className={classes.milestone} />
      <i className={classes.ahead} />
    </span>
  );
}
