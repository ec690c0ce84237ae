import type { CSSProperties } from "react";
import classes from "./registration-steps.module.css";

/** A short copy of the steps on the home page, because the registration page doesn't load the home page's content. */
const steps = [
  {
    title: "Create your account",
    text: "Register with your work email and confirm it. It takes about two minutes.",
  },
  {
    title: "Start the trial",
    text: "Try all Professional features free for 14 days, or until you've used up your trial conversions. No card needed.",
  },
  {
    title: "Convert where you plan",
    text: "Install the add-in, paste your licence code, and convert in both directions without leaving your plan.",
  },
] as const;

/** Steps to the first conversion, drawn as three schedule bars next to the registration form. */
export function RegistrationSteps() {
  return (
    <>
      <h2>Steps to your first conversion</h2>
      <ol className={classes.steps}>
        {steps.map((step, position) => (
          <li key={step.title} style={{ "--step": position } as CSSProperties}>
            <h3>{step.title}</h3>
            <p>{step.text}</p>
          </li>
        ))}
      </ol>
    </>
  );
}
