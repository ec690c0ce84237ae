import { brand } from "#schema/brand.ts";
import { paths } from "#web/platform/paths.ts";
import type { TrialEligibilityQuery } from "#web/generated/graphql.ts";
import { LinkButton } from "#web/ui/button.tsx";
import classes from "./trial.module.css";

const sentences = {
  completed:
    "Sorry, you have already completed a trial. If you would like to request a trial extension, please contact us.",
  subscribed:
    "Sorry, you have an existing subscription so you can no longer complete a trial. Please contact us if you require assistance.",
};

type TrialLicence = TrialEligibilityQuery["trialEligibility"]["licence"];

/** Says why there is no trial to be had, and the way on. */
export function TrialRefusal(props: {
  reason: keyof typeof sentences;
  /** The licence of this account's own trial. */
  licence: TrialLicence;
}) {
  const { reason, licence } = props;
  const { sales } = brand.mailboxes;
  return (
    <div className={classes.refusal}>
      <p className={classes.sentence}>{sentences[reason]}</p>
      {licence?.status === "ACTIVE" && licence.usageRemaining === 0 && (
        <p>All {licence.usageLimit} conversions of your trial are used.</p>
      )}
      <p>
        Contact us at <a href={`mailto:${sales.email}`}>{sales.email}</a>.
      </p>
      <LinkButton to={paths.myAccount.href()}>Go to My Account</LinkButton>
    </div>
  );
}
