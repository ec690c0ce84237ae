import { dashboardPeriods } from "#schema/rules/dashboard.ts";
import classes from "./period-choice.module.css";

/** Over which time the dashboard tells. */
export function PeriodChoice({ days, onChoose }: { days: number; onChoose: (days: number) => void }) {
  return (
    <fieldset className={classes.choice}>
      <legend className={classes.hidden}>Period</legend>
      {dashboardPeriods.map(({ value, label }) => (
        <label key={value} className={classes.option}>
          <input type="radio" name="period" checked={value === days} onChange={() => onChoose(value)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
