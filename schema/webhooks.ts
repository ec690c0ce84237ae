/** What an endpoint may ask to be told (docs/webhooks.md), with the words of the page. */
export const webhookEventTypes = {
  "licence.issued": "A licence was issued",
  "licence.activated": "A device was activated on a licence",
  "licence.revoked": "A licence was revoked",
  "subscription.changed": "A subscription began, changed, was cancelled or ended",
  "invoice.paid": "An invoice was paid",
} as const;

/** Name of a type of event that an endpoint may ask for. */
export type WebhookEventType = keyof typeof webhookEventTypes;

/** What the test button sends, to any endpoint. */
export const WEBHOOK_TEST = "webhook.test";

/** Where a delivery stands. */
export const webhookDeliveryStatuses = {
  pending: "Pending",
  delivered: "Delivered",
  failed: "Failed",
} as const;

/** Name of the standing of a delivery. */
export type WebhookDeliveryStatus = keyof typeof webhookDeliveryStatuses;

/** What came of an attempt. */
export const webhookAttemptStatuses = {
  delivered: "Delivered",
  failed: "Failed",
  interrupted: "Interrupted",
} as const;

/** Name of what came of an attempt. */
export type WebhookAttemptStatus = keyof typeof webhookAttemptStatuses;

/** Endpoints that one user may have. */
export const MOST_WEBHOOK_ENDPOINTS = 10;

/** Rows of a page of deliveries. */
export const WEBHOOK_DELIVERIES_A_PAGE = 20;

/** Days that events, their deliveries and attempts are kept. */
export const WEBHOOK_LOG_DAYS = 30;

/** Hours that the secret before still signs after a new one was made. */
export const WEBHOOK_ROLL_HOURS = 24;

/** Days of failing alone after which an endpoint is turned off. */
export const WEBHOOK_FAILING_DAYS = 5;
