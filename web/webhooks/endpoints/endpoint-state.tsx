import { Badge } from "@mantine/core";
import { formatDateTimeWithSeconds } from "#schema/dates.ts";
import { describeDeliveryStatus, describeEndpointState, type ShownEndpoint } from "./webhook-labels.ts";
import classes from "./webhooks.module.css";

/** Badge with the state of an endpoint. */
export function EndpointBadge({ endpoint }: { endpoint: Pick<ShownEndpoint, "enabled" | "disabledAt"> }) {
  const { label, color } = describeEndpointState(endpoint);
  return <Badge color={color}>{label}</Badge>;
}

/** Badge with the status of a delivery. */
export function DeliveryBadge({ status, wasTried }: { status: string; wasTried: boolean }) {
  const { label, color } = describeDeliveryStatus(status, wasTried);
  return <Badge color={color}>{label}</Badge>;
}

/** Result and time of the latest attempt. */
export function LastDelivery({ lastStatus, lastDeliveryAt }: Pick<ShownEndpoint, "lastStatus" | "lastDeliveryAt">) {
  if (!lastStatus || !lastDeliveryAt) return <span className={classes.quiet}>None yet</span>;
  return (
    <span className={classes.last}>
      <DeliveryBadge status={lastStatus} wasTried /> <Timestamp at={lastDeliveryAt} />
    </span>
  );
}

/** A date and time, with milliseconds in its tooltip. */
export function Timestamp({ at }: { at: string }) {
  return (
    <time className={classes.moment} dateTime={at} title={at}>
      {formatDateTimeWithSeconds(at)}
    </time>
  );
}
