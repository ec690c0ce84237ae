import { isTrialLink, canStartTrial, useTrialStatus } from "./trial-status.ts";
import { ActionLink } from "./action-link.tsx";
import classes from "./call-to-action.module.css";

export interface CallToActionProps {
  title: string;
  text: string;
  link: { readonly label: string; readonly to: string };
  /** `filled` for the main purpose of the page, `default` for anything else. */
  variant?: "filled" | "default";
}

/** Call to action at the end of a page. Hidden if it offers a trial to a customer who can't start one. */
export function CallToAction({ title, text, link, variant = "default" }: CallToActionProps) {
  const trialStatus = useTrialStatus();
  if (isTrialLink(link) && !canStartTrial(trialStatus)) return null;
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
