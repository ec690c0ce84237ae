import { isTrialLink, mayStartTrial, useTrialStanding } from "./trial-standing.ts";
import { lazy, Suspense } from "react";
import { ActionLink } from "./action-link.tsx";
import classes from "./promo-box.module.css";

// For signed-in customers alone; visitors do without its weight.
const TrialStandingBox = lazy(() => import("./trial-standing-box.tsx"));

export interface PromoBoxProps {
  title: string;
  text: string;
  points: readonly string[];
  action: { readonly label: string; readonly to: string };
  note: string;
}

/** An offer: what it holds, and the button that takes it. */
export function PromoBox({ title, text, points, action, note }: PromoBoxProps) {
  const standing = useTrialStanding();
  if (standing && isTrialLink(action) && !mayStartTrial(standing))
    return (
      <Suspense fallback={null}>
        <TrialStandingBox standing={standing} />
      </Suspense>
    );
  return (
    <section className={classes.box} aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.text}>{text}</p>
      <ul className={classes.points}>
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <ActionLink link={action} />
      <p className={classes.note}>{note}</p>
    </section>
  );
}
