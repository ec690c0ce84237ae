import { steps } from "#web/content/home.ts";
import classes from "./way-in.module.css";

/** Stands beside the registration: the way to the first conversion, as three bars of a schedule. */
export function WayIn() {
  return (
    <>
      <h2 className={classes.title}>From here to your first conversion</h2>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <li key={step.title}>
            <h3>{step.title}</h3>
            <p>{step.text}</p>
          </li>
        ))}
      </ol>
    </>
  );
}
