import type { CSSProperties } from "react";
import classes from "./bar-steps.module.css";

export interface BarStepsProps {
  steps: readonly { readonly title: string; readonly text: string }[];
  /** Level of the headings. Default 3. */
  level?: 3 | 4;
}

/** Steps drawn as bars of a schedule, each starting where the previous one ends. Works best with two to five steps. */
export function BarSteps({ steps, level = 3 }: BarStepsProps) {
  const Heading = `h${level}` as const;
  return (
    <ol className={classes.steps} data-tones>
      {steps.map((step, position) => (
        <li key={step.title} style={{ "--step": position } as CSSProperties}>
          <Heading>{step.title}</Heading>
          <p>{step.text}</p>
        </li>
      ))}
    </ol>
  );
}
