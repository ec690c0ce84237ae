import { type WebhookDeliveryStatus, type WebhookEventType, webhookEventTypes } from "#schema/webhooks.ts";
import type { WebhookDeliveryFieldsFragment, WebhookEndpointFieldsFragment } from "#web/generated/graphql.ts";
import type { BadgeTone } from "#web/ui/badge.tsx";
import { formatDateTimeWithSeconds } from "#schema/dates.ts";

/** An endpoint as the list and its page show it. */
export type ShownEndpoint = WebhookEndpointFieldsFragment;

/** A delivery as the log shows it. */
export type ShownDelivery = WebhookDeliveryFieldsFragment;

/** One request to the endpoint. */
export type ShownAttempt = ShownDelivery["attempts"][number];

/** Where webhooks are documented: a page of the api, not of the portal. */
export const WEBHOOK_DOCS = "/v1/docs#webhooks";

/** Every event that an endpoint can choose, in the order in which they are shown. */
export const allEventTypes = Object.keys(webhookEventTypes) as WebhookEventType[];

/** When each event is sent. */
export const eventSentences: Record<WebhookEventType, string> = {
  "licence.issued": "A licence was issued: by a trial, a subscription or our staff.",
  "licence.activated": "A device was activated on a licence.",
  "licence.revoked": "A licence ended for good, and no device may use it any more. Not when it expires.",
  "subscription.changed": "A subscription began, renewed, changed, missed a payment or ended.",
  "invoice.paid": "A tax invoice was paid.",
};

interface State {
  label: string;
  tone: BadgeTone;
}

/** Whether events are delivered to an endpoint, and who turned it off. */
export function stateOfEndpoint({ enabled, disabledAt }: Pick<ShownEndpoint, "enabled" | "disabledAt">): State {
  if (enabled) return { label: "Enabled", tone: "calm" };
  return disabledAt ? { label: "Turned off by us", tone: "critical" } : { label: "Turned off", tone: "quiet" };
}

const statuses: Record<WebhookDeliveryStatus, State> = {
  pending: { label: "Pending", tone: "notice" },
  delivered: { label: "Delivered", tone: "calm" },
  failed: { label: "Failed", tone: "critical" },
};

/** How a delivery stands; one that was tried and is still pending will be tried again. */
export function stateOfDelivery(status: string, wasTried: boolean): State {
  if (status === "pending" && wasTried) return { label: "To be tried again", tone: "notice" };
  return statuses[status as WebhookDeliveryStatus] ?? { label: status, tone: "quiet" };
}

/** The statuses to choose from above the log. */
export const statusChoices = Object.entries(statuses).map(([value, { label }]) => ({ value, label }));

/** `All events`, or how many of them. */
export function eventsInWords(eventTypes: readonly string[]): string {
  if (allEventTypes.every((type) => eventTypes.includes(type))) return "All events";
  return eventTypes.length === 1 ? (eventTypes[0] ?? "") : `${eventTypes.length} events`;
}

/** `180 ms` or `2.4 s`. */
export function duration(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/**
 * From the end of a delivery's newest attempt to the next one, milliseconds; null where none comes or none was made. Of the
 * server's times alone, as the reader's clock may be wrong.
 */
export function waitOf({ nextAttemptAt, attempts }: ShownDelivery): number | null {
  const newest = attempts.at(-1);
  if (!nextAttemptAt || !newest) return null;
  // It is made anew as soon as it is found.
  if (isInterrupted(newest)) return 0;
  return Math.max(0, Date.parse(nextAttemptAt) - Date.parse(newest.at) - newest.durationMs);
}

/** `5 seconds later, at 22 Nov 2026, 12:00:05 pm AEST` or `in a moment`: when the next attempt is; empty where none comes. */
export function nextAfter(delivery: ShownDelivery): string {
  const wait = waitOf(delivery);
  if (wait === null || !delivery.nextAttemptAt) return "";
  if (wasInterrupted(delivery)) return "in a moment";
  return `${waitInWords(wait)} later, at ${formatDateTimeWithSeconds(delivery.nextAttemptAt)}`;
}

function waitInWords(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 60) return counted(seconds, "second");
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? counted(minutes, "minute") : counted(Math.round(minutes / 60), "hour");
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;

/** `1 attempt`, `3 attempts`, `Not tried yet`. */
export function attemptsInWords(count: number): string {
  if (count === 0) return "Not tried yet";
  return count === 1 ? "1 attempt" : `${count} attempts`;
}

/** Whether our server broke off in the middle of an attempt: nobody knows whether it was received, and it is made anew at once. */
const isInterrupted = ({ status }: ShownAttempt) => status === "interrupted";

/** Whether the newest attempt of a delivery was interrupted, and it waits for the one in its place. */
export function wasInterrupted({ status, attempts }: ShownDelivery): boolean {
  const newest = attempts.at(-1);
  return status === "pending" && newest !== undefined && isInterrupted(newest);
}

/** How an attempt's badge is coloured. */
export function toneOfAttempt({ status }: ShownAttempt): BadgeTone {
  if (status === "delivered") return "calm";
  return status === "interrupted" ? "notice" : "critical";
}

/** What came of an attempt in a word or two: the status of the answer, or why there is none. */
export function answerInWords(attempt: ShownAttempt): string {
  const { responseStatus, durationMs } = attempt;
  if (isInterrupted(attempt)) return "Interrupted";
  if (responseStatus !== null) return String(responseStatus);
  return durationMs === 0 ? "Not sent" : "No answer";
}

/** Payloads are JSON; what is none is shown as it came. */
export function formatted(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}
