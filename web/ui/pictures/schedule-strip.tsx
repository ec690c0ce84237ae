import classes from "./pictures.module.css";

/** The brand's decoration: a row of schedule bars with a milestone, hidden from screen readers. */
export function ScheduleStrip({ moving = false }: { moving?: boolean }) {
  return (
    <span className={classes.strip} data-moving={moving || undefined} aria-hidden="true">
      <i />
      <i />
      <i />
      <i />
    </span>
  );
}
