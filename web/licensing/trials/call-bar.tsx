import { isTrialLink, mayStartTrial, useTrialStanding } from "./trial-standing.ts";
import { ActionLink } from "./action-link.tsx";
import classes from "./call-bar.module.css";

export interface CallBarProps {
  title: string;
  text: string;
  link: { readonly label: string; readonly to: string };
  /** `filled` for the main purpose of the page, `default` for anything else. */
  variant?: "filled" | "default";
}

/** Call to action at the end of a page. Hidden if it offers a trial to a customer who can't start one. */
export function CallBar({ title, text, link, variant = "default" }: CallBarProps) {
  const trialStatus = useTrialStanding();
  if (isTrialLink(link) && !mayStartTrial(trialStatus)) return null;
  return (
    <section className={classes.bar} aria-label={title}>
      <div className={classes.inner}>
        <div>
          <h2>{title}</h2>
          <p>{text}</p>
        </div>
        <ActionLink link={link} variant={variant} />
      </div>
    </section>
  );
}
