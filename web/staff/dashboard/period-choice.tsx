import { dashboardPeriods } from "#schema/rules/dashboard.ts";
import classes from "./period-choice.module.css";
import { periodInWords } from "./dashboard-words.ts";

/** For what is at one moment: `than 30 days ago`. */
export const sinceStart = (days: number) => `than ${periodInWords(days).replace("last ", "")} ago`;

/** For what happened in a time: `than in the 30 days before`. */
export const sinceBefore = (days: number) => `than in the ${periodInWords(days).replace("last ", "")} before`;

/** What the bars of a period are: its days, or weeks in longer ones. */
export const keyTitleOf = (days: number) => (days <= 31 ? "Day" : "Week from");

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
