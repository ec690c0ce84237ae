import { WEBHOOK_FAILING_DAYS } from "#schema/webhooks.ts";
import classes from "./no-endpoints.module.css";
import { allEventTypes, eventSentences, WEBHOOK_DOCS } from "./webhook-words.ts";

const steps: readonly { title: string; words: string }[] = [
  {
    title: "We post",
    words: "Each event is a POST with a JSON body, signed with your endpoint's secret as Standard Webhooks say.",
  },
  {
    title: "You answer",
    words:
      "Verify the signature, then answer with a status from 200 to 299 within 10 seconds. Do slow work afterwards.",
  },
  {
    title: "We try again",
    words: `Any other answer, or none, is tried again seven times, after pauses that grow to 10 hours. An endpoint that only fails for ${WEBHOOK_FAILING_DAYS} days is turned off, and you get a mail.`,
  },
];

/** How webhooks work, which events there are, and where to read on. */
export function WebhooksHelp() {
  return (
    <section className={classes.help} aria-labelledby="how-webhooks-work">
      <h2 id="how-webhooks-work">How Webhooks Work</h2>
      <ol className={classes.steps}>
        {steps.map(({ title, words }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{words}</p>
          </li>
        ))}
      </ol>
      <h3 id="webhook-events">Events</h3>
      <dl className={classes.events} aria-labelledby="webhook-events">
        {allEventTypes.map((type) => (
          <div key={type}>
            <dt>{type}</dt>
            <dd>{eventSentences[type]}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.docs}>
        <a href={WEBHOOK_DOCS}>Read the documentation of webhooks</a>, with the body of each event and code that
        verifies signatures.
      </p>
    </section>
  );
}
