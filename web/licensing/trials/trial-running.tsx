import { paths } from "#web/platform/paths.ts";
import { LinkButton } from "#web/ui/button.tsx";
import type { TrialStanding } from "./trial-standing.ts";
import { trialInWords } from "./trial-words.ts";
import classes from "./trial.module.css";

/** The trial of a customer who comes back while it runs: what is left, and where its licence code is. */
export function TrialRunning({ standing }: { standing: Pick<TrialStanding, "daysLeft" | "licence"> }) {
  return (
    <div className={classes.refusal}>
      <h2>Your trial is running</h2>
      <p className={classes.sentence}>{trialInWords(standing)}</p>
      <p>Your licence code and the download are in My Account.</p>
      <div className={classes.actions}>
        <LinkButton to={paths.myAccount.href()}>Go to My Account</LinkButton>
        <LinkButton to={paths.manageSubscription.href()} variant="default">
          Subscribe
        </LinkButton>
      </div>
    </div>
  );
}
