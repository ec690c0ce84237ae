import classes from "./bar-steps.module.css";

/** Steps as bars of a schedule, each beginning where its predecessor ends. Two to four read well. */
export function BarSteps({ steps }: { steps: readonly { readonly title: string; readonly text: string }[] }) {
  return (
    <ol className={classes.steps} data-count={steps.length}>
      {steps.map((step) => (
        <li key={step.title}>
          <h3>{step.title}</h3>
          <p>{step.text}</p>
        </li>
      ))}
    </ol>
  );
}
