/** Builds an endpoint as the API returns it to the portal. */
export const buildEndpoint = (changes: object = {}) => ({
  __typename: "WebhookEndpoint" as const,
  id: "endpoint-1",
  url: "https://example.com/webhooks",
  description: "Production",
  eventTypes: ["LICENCE_ISSUED", "INVOICE_PAID"],
  enabled: true,
  disabledAt: null,
  disabledReason: null,
  createdAt: "2026-11-20T02:00:00Z",
  lastDeliveryAt: null,
  lastStatus: null,
  ...changes,
});

/** Builds an attempt with a 200 response, with `changes`. */
export const buildAttempt = (changes: { responseStatus?: number | null; [name: string]: unknown } = {}) => ({
  __typename: "WebhookAttempt" as const,
  id: "attempt-1",
  at: "2026-11-21T02:00:01Z",
  status: (changes.responseStatus ?? 200) === 200 && !changes.error ? "delivered" : "failed",
  durationMs: 120,
  responseStatus: 200,
  responseBody: "OK",
  error: null,
  ...changes,
});

/** Builds an attempt that was interrupted before the response. */
export const interruptedAttempt = (changes: object = {}) =>
  buildAttempt({
    status: "INTERRUPTED",
    durationMs: 0,
    responseStatus: null,
    responseBody: null,
    error: "Our server was interrupted before it got a response. Your endpoint may or may not have received the event.",
    ...changes,
  });

/** Builds a successful delivery as the API returns it to the portal. */
export const buildDelivery = (id: string, changes: object = {}) => ({
  __typename: "WebhookDelivery" as const,
  id,
  eventId: `event-of-${id}`,
  eventType: "LICENCE_ISSUED",
  status: "DELIVERED",
  createdAt: "2026-11-21T02:00:00Z",
  nextAttemptAt: null,
  deliveredAt: "2026-11-21T02:00:01Z",
  payload: `{"id":"event-of-${id}","type":"licence.issued","data":{}}`,
  attempts: [buildAttempt({ id: `attempt-of-${id}` })],
  ...changes,
});

/** Builds a pending delivery without attempts. */
export const pendingDelivery = (id: string, changes: object = {}) =>
  buildDelivery(id, { eventType: "WEBHOOK_TEST", status: "PENDING", deliveredAt: null, attempts: [], ...changes });
