import { IconSend } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { formatDateTimeWithSeconds } from "#schema/dates.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { Button } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import type { EndpointDialogState } from "./endpoint-dialogs.tsx";
import classes from "./endpoint-head.module.css";
import { EndpointBadge, LastDelivery, Timestamp } from "./endpoint-state.tsx";
import { UrlText } from "./url-text.tsx";
import { useTurnOn } from "./use-turn-on.ts";
import { type ShownEndpoint } from "./webhook-labels.ts";

export interface EndpointHeadProps {
  endpoint: ShownEndpoint;
  onSendTest: () => Promise<void>;
  onOpenDialog: (dialog: EndpointDialogState) => void;
  /** Called after the endpoint was or may have been turned on. */
  onSettled: () => Promise<void>;
  /** The result of a test event or replay. */
  children: ReactNode;
}

/** Details of an endpoint, with its actions. */
export function EndpointHead({ endpoint, onSendTest, onOpenDialog, onSettled, children }: EndpointHeadProps) {
  const turnOn = useTurnOn();
  const { url, description, eventTypes, enabled, disabledAt, disabledReason, createdAt } = endpoint;
  const turnOnButton = <BusyButton onPress={async () => turnOn(endpoint).then(onSettled)}>Turn on</BusyButton>;
  return (
    <section className={classes.card} aria-labelledby="endpoint-url">
      <div className={classes.head}>
        <div className={classes.name}>
          <h2 id="endpoint-url" className={classes.url}>
            <UrlText url={url} />
          </h2>
          {description && <p>{description}</p>}
        </div>
        <div className={classes.actions}>
          <Button variant="default" onClick={() => onOpenDialog({ kind: "edit", endpoint })}>
            Edit
          </Button>
          {enabled ? (
            <BusyButton leftSection={<IconSend size={17} stroke={1.8} aria-hidden="true" />} onPress={onSendTest}>
              Send test event
            </BusyButton>
          ) : (
            turnOnButton
          )}
        </div>
      </div>
      {!enabled && disabledAt && (
        <Callout tone="critical">
          <p>
            <b>We turned this endpoint off on {formatDateTimeWithSeconds(disabledAt)}.</b> {disabledReason} Turn it on
            when it is ready. You can then replay failed deliveries.
          </p>
        </Callout>
      )}
      {children}
      <dl className={classes.facts}>
        <div>
          <dt>Status</dt>
          <dd>
            <EndpointBadge endpoint={endpoint} />
          </dd>
        </div>
        <div>
          <dt>Last delivery</dt>
          <dd>
            <LastDelivery {...endpoint} />
          </dd>
        </div>
        <div>
          <dt>Added</dt>
          <dd>
            <Timestamp at={createdAt} />
          </dd>
        </div>
        <div className={classes.events}>
          <dt>Events</dt>
          <dd>
            <ul>
              {eventTypes.map((type) => (
                <li key={type}>{type}</li>
              ))}
            </ul>
          </dd>
        </div>
      </dl>
      <div className={classes.actions}>
        {enabled && (
          <Button variant="default" onClick={() => onOpenDialog({ kind: "turn-off", endpoint })}>
            Turn off
          </Button>
        )}
        <Button variant="default" onClick={() => onOpenDialog({ kind: "roll", endpoint })}>
          Roll secret
        </Button>
        <Button variant="subtle" color="red" onClick={() => onOpenDialog({ kind: "delete", endpoint })}>
          Delete
        </Button>
      </div>
    </section>
  );
}
