import { isTrialLink, canStartTrial, useTrialStatus } from "./trial-status.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { ActionLink } from "./call-to-action.tsx";
import layout from "#web/ui/layout.module.css";
import classes from "./promo-box.module.css";

// Loaded only for signed-in customers, to keep public pages small.
const TrialStatusBox = lazyPart(() => import("./trial-status-box.tsx"), "nothing", null);

export interface PromoBoxProps {
  title: string;
  text: string;
  points: readonly string[];
  action: { readonly label: string; readonly to: string };
  note: string;
}

/** Offer with its benefits and a button. Shows the trial status instead if the customer can't start a trial. */
export function PromoBox({ title, text, points, action, note }: PromoBoxProps) {
  const trialStatus = useTrialStatus();
  if (trialStatus && isTrialLink(action) && !canStartTrial(trialStatus))
    return <TrialStatusBox trialStatus={trialStatus} />;
  return (
    <section className={`${layout.card} ${layout.summary} ${classes.box}`} aria-label={title} data-break="anywhere">
      <h2>{title}</h2>
      <p>{text}</p>
      <ul className={layout.bars}>
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <ActionLink link={action} />
      <p className={layout.note}>{note}</p>
    </section>
  );
}
