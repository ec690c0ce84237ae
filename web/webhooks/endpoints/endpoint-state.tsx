import { formatDateTimeWithSeconds } from "#schema/dates.ts";
import { Badge } from "#web/ui/badge.tsx";
import { stateOfDelivery, stateOfEndpoint, type ShownEndpoint } from "./webhook-words.ts";
import classes from "./webhooks.module.css";

/** Whether an endpoint is enabled, as a badge. */
export function EndpointBadge({ endpoint }: { endpoint: Pick<ShownEndpoint, "enabled" | "disabledAt"> }) {
  const { label, tone } = stateOfEndpoint(endpoint);
  return <Badge tone={tone}>{label}</Badge>;
}

/** How a delivery stands, as a badge. */
export function DeliveryBadge({ status, wasTried }: { status: string; wasTried: boolean }) {
  const { label, tone } = stateOfDelivery(status, wasTried);
  return <Badge tone={tone}>{label}</Badge>;
}

/** What came of the newest attempt, and when. */
export function LastDelivery({ lastStatus, lastDeliveryAt }: Pick<ShownEndpoint, "lastStatus" | "lastDeliveryAt">) {
  if (!lastStatus || !lastDeliveryAt) return <span className={classes.quiet}>None yet</span>;
  return (
    <span className={classes.last}>
      <DeliveryBadge status={lastStatus} wasTried /> <Moment at={lastDeliveryAt} />
    </span>
  );
}

/** A moment as every line of the log has it; pointing at it shows it to the millisecond. */
export function Moment({ at }: { at: string }) {
  return (
    <time className={classes.moment} dateTime={at} title={at}>
      {formatDateTimeWithSeconds(at)}
    </time>
  );
}
