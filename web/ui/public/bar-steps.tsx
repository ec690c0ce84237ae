import classes from "./bar-steps.module.css";

export interface BarStepsProps {
  steps: readonly { readonly title: string; readonly text: string }[];
  /** Rank of the steps' headings. Default 3. */
  level?: 3 | 4;
}

/** Steps as bars of a schedule, each beginning where its predecessor ends. Two to four read well. */
export function BarSteps({ steps, level = 3 }: BarStepsProps) {
  const Heading = `h${level}` as const;
  return (
    <ol className={classes.steps} data-count={steps.length}>
      {steps.map((step) => (
        <li key={step.title}>
          <Heading className={classes.title}>{step.title}</Heading>
          <p>{step.text}</p>
        </li>
      ))}
    </ol>
  );
}
