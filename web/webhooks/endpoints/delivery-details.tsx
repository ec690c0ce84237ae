import { Badge } from "@mantine/core";
import { IconRepeat } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import classes from "./delivery-details.module.css";
import { Timestamp } from "./endpoint-state.tsx";
import {
  formatAttemptResult,
  formatDuration,
  formatJson,
  type ShownAttempt,
  type ShownDelivery,
  getAttemptColor,
  wasInterrupted,
} from "./webhook-labels.ts";

/** Payload and attempts of a delivery. */
export function DeliveryDetails(props: {
  delivery: ShownDelivery;
  /** Null while the endpoint is off. */
  onReplay: (() => Promise<void>) | null;
}) {
  const { delivery, onReplay } = props;
  const { id, eventId, eventType, createdAt, nextAttemptAt, deliveredAt, payload, attempts } = delivery;
  const body = formatJson(payload);
  return (
    <div className={classes.details}>
      <div className={classes.top}>
        <dl className={classes.facts}>
          <Fact name="Event ID">
            <code>{eventId}</code>
          </Fact>
          <Fact name="Created">
            <Timestamp at={createdAt} />
          </Fact>
          {deliveredAt && (
            <Fact name="Delivered">
              <Timestamp at={deliveredAt} />
            </Fact>
          )}
          {nextAttemptAt && (
            <Fact name="Next attempt">
              {wasInterrupted(delivery) ? "In a moment" : <Timestamp at={nextAttemptAt} />}
            </Fact>
          )}
        </dl>
        {onReplay ? (
          <BusyButton
            variant="default"
            size="sm"
            label={`Replay ${eventType}`}
            leftSection={<IconRepeat size={16} stroke={1.8} aria-hidden="true" />}
            onPress={onReplay}
          >
            Replay
          </BusyButton>
        ) : (
          <p className={classes.quiet}>Turn the endpoint on to replay this delivery.</p>
        )}
      </div>
      <div className={classes.columns}>
        <section aria-labelledby={`attempts-${id}`}>
          <h3 id={`attempts-${id}`}>Attempts</h3>
          {attempts.length === 0 && <p className={classes.quiet}>None yet.</p>}
          <ol className={classes.attempts} reversed>
            {attempts
              .map((attempt, index) => (
                <Attempt
                  key={attempt.id}
                  attempt={attempt}
                  number={index + 1}
                  isNewest={index === attempts.length - 1}
                />
              ))
              .reverse()}
          </ol>
        </section>
        <section aria-labelledby={`payload-${id}`}>
          <div className={classes.payloadHead}>
            <h3 id={`payload-${id}`}>Payload</h3>
            <CopyButton text={body} size="xs" successMessage="The payload has been copied to clipboard." />
          </div>
          <Scrolling label={`Payload of ${eventType}`}>{body}</Scrolling>
        </section>
      </div>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** One attempt with its response, which is expanded for the latest attempt. */
function Attempt({ attempt, number, isNewest }: { attempt: ShownAttempt; number: number; isNewest: boolean }) {
  const { at, durationMs, responseStatus, responseBody, error } = attempt;
  // The badge already shows the status.
  const statusError = `The endpoint responded with status ${responseStatus}.`;
  return (
    <li>
      <p className={classes.attempt}>
        <b>Attempt {number}</b> <Badge color={getAttemptColor(attempt)}>{formatAttemptResult(attempt)}</Badge>{" "}
        <Timestamp at={at} /> {durationMs > 0 && <span>{formatDuration(durationMs)}</span>}
      </p>
      {error && error !== statusError && (
        <p className={classes.error} data-status={attempt.status}>
          {error}
        </p>
      )}
      {responseBody ? (
        <details className={classes.answer} open={isNewest}>
          <summary>Response</summary>
          <Scrolling label={`Response to attempt ${number}`}>{formatJson(responseBody)}</Scrolling>
        </details>
      ) : (
        responseStatus !== null && <p className={classes.quiet}>The response has no text.</p>
      )}
    </li>
  );
}

/** Preformatted text that scrolls, also by keyboard. */
function Scrolling({ label, children }: { label: string; children: string }) {
  const focusable = { tabIndex: 0, role: "group", "aria-label": label };
  return (
    <pre className={classes.text} {...focusable}>
      {children}
    </pre>
  );
}
