import { IconCircleCheck, IconCircleX, IconClock } from "@tabler/icons-react";
import { Button } from "#web/ui/button.tsx";
import { ScheduleStrip } from "#web/ui/schedule-strip.tsx";
import classes from "./followed-delivery.module.css";
import type { FollowedState } from "./use-followed-delivery.ts";
import { formatDuration, formatNextAttempt, type ShownDelivery, wasInterrupted } from "./webhook-labels.ts";

/** Progress and result of a test event or replay. */
export function FollowedDelivery(props: { followed: FollowedState | null; onShow: (delivery: ShownDelivery) => void }) {
  const { followed, onShow } = props;
  const outcome = followed && describeOutcome(followed);
  const Picture = outcome?.Picture;
  return (
    <div className={classes.place}>
      {/* Always rendered, so that screen readers announce its changes. */}
      <div role="status" aria-label="Outcome">
        {followed && outcome && (
          <div className={classes.outcome} data-tone={outcome.tone}>
            {Picture ? <Picture size={22} stroke={1.8} aria-hidden="true" /> : <ScheduleStrip moving />}
            <div className={classes.words}>
              <b>{outcome.title}</b>
              <p>{outcome.words}</p>
            </div>
          </div>
        )}
      </div>
      {followed && followed.state !== "sending" && (
        <Button variant="default" size="sm" onClick={() => onShow(followed.delivery)}>
          Show delivery
        </Button>
      )}
    </div>
  );
}

function describeOutcome({ kind, delivery, state }: FollowedState) {
  const noun = kind === "test" ? "test event" : "event";
  const attempt = delivery.attempts.at(-1);
  if (state === "sending")
    return {
      tone: "notice",
      Picture: null,
      title: `Sending the ${noun}…`,
      words: "The result will appear here in a moment.",
    };
  if (state === "waiting")
    return {
      tone: "notice",
      Picture: IconClock,
      title: "No result yet",
      words: `The ${noun} is taking longer than usual. Refresh the deliveries below to see the result.`,
    };
  if (delivery.status === "delivered")
    return {
      tone: "calm",
      Picture: IconCircleCheck,
      title: `The ${noun} was delivered`,
      words: attempt
        ? `Your endpoint responded with status ${attempt.responseStatus ?? ""} after ${formatDuration(attempt.durationMs)}.`
        : "",
    };
  const next = formatNextAttempt(delivery);
  if (wasInterrupted(delivery))
    return {
      tone: "notice",
      Picture: IconClock,
      title: `The ${noun} was interrupted`,
      words: `${attempt?.error ?? ""} We will send it again ${next}.`,
    };
  const hint = state === "tried" ? " Refresh the deliveries below to see the result." : "";
  return {
    tone: "critical",
    Picture: IconCircleX,
    title: `The ${noun} was not delivered`,
    words: `${describeFailure(attempt)}${next && ` We will try again ${next}.${hint}`}`,
  };
}

function describeFailure(attempt: ShownDelivery["attempts"][number] | undefined): string {
  if (attempt?.error) return attempt.error;
  if (attempt?.responseStatus) return `Your endpoint responded with status ${attempt.responseStatus}.`;
  return "Your endpoint did not respond.";
}
