import { formatNumber } from "#schema/numbers.ts";
import { paths } from "#web/platform/paths.ts";
import layout from "#web/ui/layout.module.css";
import classes from "./promo-box.module.css";
import { LinkButton } from "#web/ui/button.tsx";
import { formatDaysLeft, type TrialStatus } from "./trial-status.ts";
import { MailLink } from "#web/ui/mail-link.tsx";
import { Moment } from "#web/ui/moment.tsx";

/** Replaces the trial offer for customers who can't start a trial. Shows the reason and the next step. */
export default function TrialStatusBox({ trialStatus }: { trialStatus: TrialStatus }) {
  const { title, text, action } = getContent(trialStatus);
  return (
    <section className={`${layout.card} ${layout.summary} ${classes.box}`} aria-label={title} data-break="anywhere">
      <h2>{title}</h2>
      <p>{text}</p>
      <LinkButton to={action.to} size="lg">
        {action.label}
      </LinkButton>
      {!trialStatus.hasActiveSubscription && (
        <p className={layout.note}>
          Need a longer trial? Write to <MailLink to="sales" />.
        </p>
      )}
    </section>
  );
}

function getContent(trialStatus: TrialStatus) {
  const myAccount = { label: "Go to My Account", to: paths.myAccount.href() };
  if (trialStatus.hasActiveSubscription)
    return { title: "You have a subscription", text: "The trial is for customers without one.", action: myAccount };
  if (trialStatus.daysLeft !== null)
    return {
      title: "Your trial is running",
      text: (
        <>
          <TrialLeft trialStatus={trialStatus} /> Your licence code and the download are in My Account.
        </>
      ),
      action: myAccount,
    };
  return {
    title: "Your trial has ended",
    text: "Each customer can have one trial. Subscribe to keep converting.",
    action: { label: "Subscribe", to: paths.manageSubscription.href() },
  };
}

/** Shows the days and conversions left in a trial: `12 days left, until 9 Mar 2027, 2:05 pm AEST. 17 of 20 conversions left.` */
export function TrialLeft({ trialStatus }: { trialStatus: Pick<TrialStatus, "daysLeft" | "licence"> }) {
  const { daysLeft, licence } = trialStatus;
  if (daysLeft === null || !licence) return null;
  return (
    <>
      {formatDaysLeft(daysLeft)}, until <Moment at={licence.expiresAt} />.
      {typeof licence.usageLimit === "number" &&
        ` ${formatNumber(licence.usageRemaining ?? 0)} of ${formatNumber(licence.usageLimit)} conversions left.`}
    </>
  );
}
