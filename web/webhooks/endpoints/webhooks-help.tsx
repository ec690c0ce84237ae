import { WEBHOOK_FAILING_DAYS } from "#schema/webhooks.ts";
import classes from "./no-endpoints.module.css";
import { allEventTypes, eventDescriptions, WEBHOOK_DOCS } from "./webhook-labels.ts";

const steps: readonly { title: string; words: string }[] = [
  {
    title: "We send the event",
    words:
      "Each event is a POST request with a JSON body, signed with your endpoint's secret as specified by Standard Webhooks.",
  },
  {
    title: "You respond",
    words:
      "Verify the signature, then respond with a status from 200 to 299 within 10 seconds. Do slow work afterwards.",
  },
  {
    title: "We retry",
    words: `After any other response, or none, we retry seven times, with delays of up to 10 hours. If every attempt fails for ${WEBHOOK_FAILING_DAYS} days, we turn the endpoint off and email you.`,
  },
];

/** Explains how webhooks work, lists the events and links to the documentation. */
export function WebhooksHelp() {
  return (
    <section className={classes.help} aria-labelledby="how-webhooks-work">
      <h2 id="how-webhooks-work">How webhooks work</h2>
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
            <dd>{eventDescriptions[type]}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.docs}>
        <a href={WEBHOOK_DOCS}>Read the webhook documentation</a> for the body of each event and code that verifies
        signatures.
      </p>
    </section>
  );
}
