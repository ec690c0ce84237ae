import { isTrialLink, mayStartTrial, useTrialStanding } from "./trial-standing.ts";
import { ActionLink } from "./action-link.tsx";
import classes from "./call-bar.module.css";

export interface CallBarProps {
  title: string;
  text: string;
  link: { readonly label: string; readonly to: string };
  /** A link for what is not the page's own purpose is `default`. */
  variant?: "filled" | "default";
}

/** The end of a page: a sentence and the one thing to do about it. */
export function CallBar({ title, text, link, variant = "default" }: CallBarProps) {
  const standing = useTrialStanding();
  if (isTrialLink(link) && !mayStartTrial(standing)) return null;
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
