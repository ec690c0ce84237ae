import { IconCircleCheck, IconCircleX, IconClock } from "@tabler/icons-react";
import { Button } from "#web/ui/button.tsx";
import { ScheduleStrip } from "#web/ui/schedule-strip.tsx";
import classes from "./followed-delivery.module.css";
import type { Followed } from "./use-followed-delivery.ts";
import { duration, nextAfter, type ShownDelivery, wasInterrupted } from "./webhook-words.ts";

/** What comes of a test event or a replay, told as it arrives. */
export function FollowedDelivery(props: { followed: Followed | null; onShow: (delivery: ShownDelivery) => void }) {
  const { followed, onShow } = props;
  const outcome = followed && outcomeOf(followed);
  const Picture = outcome?.Picture;
  return (
    <div className={classes.place}>
      {/* Always there, so that a screen reader hears what is put into it. */}
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
          Show the Delivery
        </Button>
      )}
    </div>
  );
}

function outcomeOf({ kind, delivery, state }: Followed) {
  const what = kind === "test" ? "test event" : "event";
  const attempt = delivery.attempts.at(-1);
  if (state === "sending")
    return {
      tone: "notice",
      Picture: null,
      title: `Sending the ${what}…`,
      words: "Its outcome stands here in a moment.",
    };
  if (state === "waiting")
    return {
      tone: "notice",
      Picture: IconClock,
      title: "No outcome yet",
      words: `The ${what} is on its way and takes longer than usual. Refresh the deliveries below to see what came of it.`,
    };
  if (delivery.status === "delivered")
    return {
      tone: "calm",
      Picture: IconCircleCheck,
      title: `The ${what} was delivered`,
      words: attempt
        ? `Your endpoint answered ${attempt.responseStatus ?? ""} after ${duration(attempt.durationMs)}.`
        : "",
    };
  const next = nextAfter(delivery);
  if (wasInterrupted(delivery))
    return {
      tone: "notice",
      Picture: IconClock,
      title: `The ${what} was interrupted`,
      words: `${attempt?.error ?? ""} We send it again ${next}.`,
    };
  const hint = state === "tried" ? " Refresh the deliveries below to see what came of it." : "";
  return {
    tone: "critical",
    Picture: IconCircleX,
    title: `The ${what} was not delivered`,
    words: `${whyNot(attempt)}${next && ` We try again ${next}.${hint}`}`,
  };
}

function whyNot(attempt: ShownDelivery["attempts"][number] | undefined): string {
  if (attempt?.error) return attempt.error;
  if (attempt?.responseStatus) return `Your endpoint answered ${attempt.responseStatus}.`;
  return "Your endpoint did not answer.";
}
