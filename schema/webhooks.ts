import { hasStaffRole, type StaffRole } from "./staff-roles.ts";

/** Events about customers that an endpoint can subscribe to (docs/webhooks.md), with their labels. */
export const webhookEventTypes = {
  "licence.issued": "A licence was issued",
  "licence.activated": "A device was activated on a licence",
  "licence.revoked": "A licence was revoked",
  "licence.reinstated": "A revoked licence was reinstated",
  "subscription.changed": "A subscription began, changed, was cancelled or ended",
  "invoice.paid": "An invoice was paid",
} as const;

export type WebhookEventType = keyof typeof webhookEventTypes;

/** Events that only the endpoints of owners receive (docs/webhooks.md), with their labels. */
export const ownerWebhookEventTypes = {
  "security-event.created": "A security event was recorded",
} as const;

export type OwnerWebhookEventType = keyof typeof ownerWebhookEventTypes;

const customerStaff = ["support", "finance"] as const;

/** Staff roles, besides owners, that receive each event, which are the roles of the query of its data (docs/webhooks.md). */
export const webhookEventRoles: Readonly<Record<string, readonly StaffRole[]>> = {
  "licence.issued": customerStaff,
  "licence.activated": customerStaff,
  "licence.revoked": customerStaff,
  "licence.reinstated": customerStaff,
  "subscription.changed": customerStaff,
  "invoice.paid": customerStaff,
  "security-event.created": [],
} satisfies Record<WebhookEventType | OwnerWebhookEventType, readonly StaffRole[]>;

/** All events that an endpoint can subscribe to. */
export type SubscribedEventType = WebhookEventType | OwnerWebhookEventType;

/** All types of events that an endpoint can subscribe to, in the order of the form. */
export const subscribedEventTypes = [
  ...Object.keys(webhookEventTypes),
  ...Object.keys(ownerWebhookEventTypes),
] as SubscribedEventType[];

/** Returns whether only owners may receive events of a type. */
export function isOwnerEventType(type: string): type is OwnerWebhookEventType {
  return Object.hasOwn(ownerWebhookEventTypes, type);
}

/**
 * Returns whether a user receives events of a type: customers about themselves, and admins as far as their roles allow.
 * @param staffRoles roles of an admin; null for customers
 */
export function canReceiveEvents(type: string, staffRoles: readonly string[] | null): boolean {
  if (staffRoles === null) return !isOwnerEventType(type);
  return hasStaffRole(staffRoles, "owner") || (webhookEventRoles[type] ?? []).some((role) => staffRoles.includes(role));
}

/** Type of the test event, which needs no subscription. */
export const WEBHOOK_TEST = "webhook.test";

/** Statuses of a delivery, with their labels. */
export const webhookDeliveryStatuses = {
  pending: "Pending",
  delivered: "Delivered",
  failed: "Failed",
} as const;

export type WebhookDeliveryStatus = keyof typeof webhookDeliveryStatuses;

/** Results of an attempt, with their labels. */
export const webhookAttemptStatuses = {
  delivered: "Delivered",
  failed: "Failed",
  interrupted: "Interrupted",
} as const;

export type WebhookAttemptStatus = keyof typeof webhookAttemptStatuses;

/** Maximum number of endpoints per user. */
export const MAX_WEBHOOK_ENDPOINTS = 10;

/** Rows per page of the delivery log. */
export const WEBHOOK_DELIVERIES_PER_PAGE = 20;

/** Number of days for which events, deliveries and attempts are kept. */
export const WEBHOOK_LOG_DAYS = 30;

/** Number of hours for which deliveries are also signed with the previous secret after it was replaced. */
export const WEBHOOK_ROLL_HOURS = 24;

/** Number of days of failures without a success after which an endpoint is turned off. */
export const WEBHOOK_FAILING_DAYS = 5;
