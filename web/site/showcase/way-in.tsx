import classes from "./way-in.module.css";

/** In fewer words than those of the home page, whose content this page does not load. */
const steps = [
  {
    title: "Create your account",
    text: "Register with your work email and confirm it from your mailbox. It takes about two minutes.",
  },
  {
    title: "Start the trial",
    text: "Professional, complete, free for 14 days or until the trial's conversions are used. No card asked.",
  },
  {
    title: "Convert where you plan",
    text: "Install the add-in, paste your licence code, and convert in both directions without leaving your plan.",
  },
] as const;

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
