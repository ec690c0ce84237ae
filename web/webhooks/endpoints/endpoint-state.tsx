import { Badge, Stack, Text, type MantineColor } from "@mantine/core";
import { formatDateTimeWithSeconds } from "#schema/dates.ts";
import type {
  WebhookDeliveryStatus,
  WebhookDeliveryFieldsFragment,
  WebhookEndpointFieldsFragment,
  WebhookEventType,
} from "#web/generated/graphql.ts";
import { Moment } from "#web/ui/moment.tsx";
import { Fragment } from "react";
import {
  canReceiveEvents,
  type SubscribedEventType,
  subscribedEventTypes,
  webhookDeliveryStatuses,
  webhookEvents,
} from "#schema/webhooks.ts";
import { findEntry, findLabel, toValue } from "#schema/closed-list.ts";
import { formatCount } from "#schema/numbers.ts";
import { getSession } from "#web/platform/session.ts";
import { readStaffRoles } from "#web/platform/staff-role.tsx";

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

export type ShownEndpoint = WebhookEndpointFieldsFragment;

export type ShownDelivery = WebhookDeliveryFieldsFragment;

export type ShownAttempt = ShownDelivery["attempts"][number];

/** URL of the webhook documentation, which the API serves. */
export const WEBHOOK_DOCS = "/v1/docs#webhooks";

/** Returns the event types that the signed-in user may subscribe to, in the order of the form. */
export function listEventTypes(): SubscribedEventType[] {
  const session = getSession();
  const roles = session?.claims.role === "admin" ? readStaffRoles(session) : null;
  return subscribedEventTypes.filter((type) => canReceiveEvents(type, roles));
}

/** Returns when an event is sent. The descriptions are Markdown, for the API's documents; screens show them as text. */
export const describeEvent = (type: SubscribedEventType) =>
  findEntry(webhookEvents, type)?.description.replaceAll("`", "");

interface State {
  label: string;
  color: MantineColor;
}

/** Returns the label of an endpoint's state, including who turned it off. */
export function describeEndpointState({ enabled, disabledAt }: Pick<ShownEndpoint, "enabled" | "disabledAt">): State {
  if (enabled) return { label: "Enabled", color: "spruce" };
  return disabledAt ? { label: "Turned off by us", color: "red" } : { label: "Turned off", color: "gray" };
}

const statusColors: Record<WebhookDeliveryStatus, MantineColor> = {
  PENDING: "marigold",
  DELIVERED: "spruce",
  FAILED: "red",
};

/** Returns the label of a delivery's status. A pending delivery with an attempt will be retried. */
export function describeDeliveryStatus(status: WebhookDeliveryStatus, wasTried: boolean): State {
  if (status === "PENDING" && wasTried) return { label: "Retry scheduled", color: "marigold" };
  return { label: findLabel(webhookDeliveryStatuses, status), color: statusColors[status] };
}

export const statusChoices = webhookDeliveryStatuses.map(({ code, label }) => ({ value: code, label }));

/** Returns the types as requests name them, such as `licence.issued`. */
export function listTypeNames(types: readonly WebhookEventType[]) {
  return types.map((type) => toValue(webhookEvents, type));
}

/** Formats event types as `All events`, a single type or their number. */
export function formatEventTypes(types: readonly WebhookEventType[]): string {
  const eventTypes: readonly string[] = listTypeNames(types);
  if (listEventTypes().every((type) => eventTypes.includes(type))) return "All events";
  return eventTypes.length === 1 ? (eventTypes[0] ?? "") : `${eventTypes.length} events`;
}

/** Formats a duration as `180 ms` or `2.4 s`. */
export function formatDuration(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/**
 * Returns the milliseconds from the end of the latest attempt to the next one, or null if there is none. Uses only the
 * server's times, because the user's clock may be wrong.
 */
export function getWait({ nextAttemptAt, attempts }: ShownDelivery): number | null {
  const newest = attempts.at(-1);
  if (!nextAttemptAt || !newest) return null;
  // An interrupted attempt is repeated as soon as the sweep finds it.
  if (isInterrupted(newest)) return 0;
  return Math.max(0, Date.parse(nextAttemptAt) - Date.parse(newest.at) - newest.durationMs);
}

/**
 * Formats the time of the next attempt as `after 5 seconds, at 22 Nov 2026, 12:00:05 pm AEST` or `in a moment`. Returns an
 * empty string if there is none.
 */
export function formatNextAttempt(delivery: ShownDelivery): string {
  const wait = getWait(delivery);
  if (wait === null || !delivery.nextAttemptAt) return "";
  if (wasInterrupted(delivery)) return "in a moment";
  return `after ${formatWait(wait)}, at ${formatDateTimeWithSeconds(delivery.nextAttemptAt)}`;
}

function formatWait(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 60) return formatCount(seconds, "second");
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? formatCount(minutes, "minute") : formatCount(Math.round(minutes / 60), "hour");
}

/** Formats a number of attempts as `No attempts yet`, `1 attempt` or `3 attempts`. */
export function formatAttemptCount(count: number): string {
  return count === 0 ? "No attempts yet" : formatCount(count, "attempt");
}

/** Returns whether our server was interrupted during an attempt, so that the result is unknown and the attempt is repeated. */
const isInterrupted = ({ status }: ShownAttempt) => status === "INTERRUPTED";

/** Returns whether the latest attempt of a pending delivery was interrupted. */
export function wasInterrupted({ status, attempts }: ShownDelivery): boolean {
  const newest = attempts.at(-1);
  return status === "PENDING" && newest !== undefined && isInterrupted(newest);
}

/** Returns the badge colour of an attempt. */
export function getAttemptColor({ status }: ShownAttempt): MantineColor {
  if (status === "DELIVERED") return "spruce";
  return status === "INTERRUPTED" ? "marigold" : "red";
}

/** Formats the result of an attempt: the response status, or why there is none. */
export function formatAttemptResult(attempt: ShownAttempt): string {
  const { responseStatus, durationMs } = attempt;
  if (isInterrupted(attempt)) return "Interrupted";
  if (responseStatus !== null) return String(responseStatus);
  return durationMs === 0 ? "Not sent" : "No response";
}
