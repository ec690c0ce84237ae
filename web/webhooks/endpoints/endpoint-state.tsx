import { Badge, Stack, Text } from "@mantine/core";
import { formatDateTimeWithSeconds } from "#schema/dates.ts";
import { describeDeliveryStatus, describeEndpointState, type ShownEndpoint } from "./webhook-labels.ts";
import type { WebhookDeliveryStatus } from "#web/generated/graphql.ts";
import { Moment } from "#web/ui/moment.tsx";
import { Fragment } from "react";

/** Badge with the state of an endpoint. */
export function EndpointBadge({ endpoint }: { endpoint: Pick<ShownEndpoint, "enabled" | "disabledAt"> }) {
  const { label, color } = describeEndpointState(endpoint);
  return <Badge color={color}>{label}</Badge>;
}

/** Badge with the status of a delivery. */
export function DeliveryBadge({ status, wasTried }: { status: WebhookDeliveryStatus; wasTried: boolean }) {
  const { label, color } = describeDeliveryStatus(status, wasTried);
  return <Badge color={color}>{label}</Badge>;
}

/** Result and time of the latest attempt. */
export function LastDelivery({ lastStatus, lastDeliveryAt }: Pick<ShownEndpoint, "lastStatus" | "lastDeliveryAt">) {
  if (!lastStatus || !lastDeliveryAt)
    return (
      <Text span c="dimmed">
        None yet
      </Text>
    );
  return (
    <Stack gap={4} align="flex-start">
      <DeliveryBadge status={lastStatus} wasTried /> <Timestamp at={lastDeliveryAt} />
    </Stack>
  );
}

/** A date and time with seconds. */
export function Timestamp({ at }: { at: string }) {
  return (
    <Text span size="sm" c="dimmed" data-break="never">
      <Moment at={at} as={formatDateTimeWithSeconds} />
    </Text>
  );
}

/** A URL that can wrap between its parts and is still copied correctly. */
export function UrlText({ url }: { url: string }) {
  const parts = url.split(/(?<=[^/:]\/|[?&])/);
  return parts.map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts are identified only by their position
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
