import { BarSteps } from "#web/ui/bar-steps.tsx";
import { Prose } from "#web/ui/prose.tsx";
import layout from "#web/ui/layout.module.css";
import classes from "./subscribe-steps.module.css";

export interface SubscribeStepsProps {
  heading: string;
  steps: readonly { readonly title: string; readonly text: string }[];
  /** Conditions that apply to every subscription. */
  notes: readonly string[];
  /** Text below the steps. */
  html: string;
}

/** Explains the steps to subscribe and what to know first. */
export function SubscribeSteps({ heading, steps, notes, html }: SubscribeStepsProps) {
  return (
    <>
      <ul className={`${layout.columns} ${layout.note} ${classes.notes}`}>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <h3 className={classes.heading}>{heading}</h3>
      <BarSteps steps={steps} level={4} />
      <div className={classes.after}>
        <Prose html={html} />
      </div>
    </>
  );
}
