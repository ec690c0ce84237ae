import { defineList, listValues, type ValueOf } from "./closed-list.ts";
import { customerStaff, hasStaffRole, type StaffRole } from "./staff-roles.ts";

/**
 * Types of webhook events (docs/webhooks.md), in the order of the form. Staff receive those of their roles, which are
 * the roles of the query of the data: support and finance, unless the event says otherwise.
 */
export const webhookEvents = defineList(
  "WebhookEventType",
  "The type of a webhook event. Requests name it in lower case, such as `licence.issued`.",
  {
    LICENCE_ISSUED: [
      "licence.issued",
      "A licence was issued",
      "A licence was issued by a trial, a subscription or our staff.",
    ],
    LICENCE_CHANGED: [
      "licence.changed",
      "A licence was changed or extended",
      "The level, seats, devices or expiry of a licence changed.",
    ],
    LICENCE_ACTIVATED: [
      "licence.activated",
      "A device was activated on a licence",
      "A device was activated on a licence.",
    ],
    DEVICE_DEACTIVATED: ["device.deactivated", "A device was deactivated", "A device was deactivated on a licence."],
    SEAT_REFUSED: [
      "seat.refused",
      "A seat was refused",
      "A device requested a seat of a concurrent licence, and none was available.",
    ],
    LICENCE_SUSPENDED: [
      "licence.suspended",
      "A licence was suspended",
      "A licence was suspended, because its user was archived or its subscription is disputed or paused.",
    ],
    LICENCE_REVOKED: [
      "licence.revoked",
      "A licence was revoked",
      "A licence was revoked and can no longer be used. Not sent when a licence expires.",
    ],
    LICENCE_REINSTATED: [
      "licence.reinstated",
      "A licence was reinstated",
      "A licence that was revoked or suspended can be used again.",
    ],
    LICENCE_EXPIRING: [
      "licence.expiring",
      "A licence expires in 7 days",
      "A licence expires in 7 days, and no subscription renews it.",
    ],
    LICENCE_EXPIRED: ["licence.expired", "A licence expired", "A licence expired. Trials have `trial.ended` instead."],
    TRIAL_ENDED: ["trial.ended", "A trial ended", "A trial licence expired."],
    SUBSCRIPTION_CHANGED: [
      "subscription.changed",
      "A subscription began, changed, was cancelled or ended",
      "A subscription began, renewed, changed, missed a payment or ended.",
    ],
    INVOICE_PAID: ["invoice.paid", "An invoice was paid", "A tax invoice was paid."],
    INVOICE_REFUNDED: [
      "invoice.refunded",
      "An invoice was refunded",
      "An adjustment note was issued for a tax invoice, because it was refunded, voided or re-issued.",
    ],
    PAYMENT_FAILED: ["payment.failed", "A payment failed", "The bank declined an attempt to charge a card."],
    USER_CREATED: [
      "user.created",
      "A user registered or was created",
      "A user registered, or our staff created them.",
      { staffOnly: true },
    ],
    USER_CHANGED: ["user.changed", "A user was changed", "The profile or settings of a user changed."],
    USER_ARCHIVED: ["user.archived", "A user was archived", "Our staff archived a user.", { staffOnly: true }],
    USER_RESTORED: [
      "user.restored",
      "A user was restored",
      "Our staff restored an archived user.",
      { staffOnly: true },
    ],
    USER_ERASED: [
      "user.erased",
      "A user was erased",
      "The account of a user was closed and its personal data is being erased, or a registration wasn't confirmed in time.",
      { staffOnly: true },
    ],
    CONTACT_CREATED: [
      "contact.created",
      "A contact was added",
      "A contact of a user was added or restored.",
      { staffOnly: true },
    ],
    CONTACT_CHANGED: ["contact.changed", "A contact was changed", "A contact of a user changed.", { staffOnly: true }],
    CONTACT_DELETED: [
      "contact.deleted",
      "A contact was deleted",
      "A contact of a user was deleted.",
      { staffOnly: true },
    ],
    BUILD_PUBLISHED: [
      "build.published",
      "A build was published",
      "A build of the add-in was published to a stage.",
      { roles: ["release"], staffOnly: true },
    ],
    SECURITY_EVENT_CREATED: [
      "security-event.created",
      "A security event was recorded",
      "A sign-in failed, a role changed, data was exported, or another security event was recorded.",
      { ownersOnly: true, roles: [] },
    ],
    AUDIT_LINK_CREATED: [
      "audit-link.created",
      "The audit log has a new link",
      "The last link of the audit log, at most once an hour. Keep it for `audit verify --since`.",
      { ownersOnly: true, roles: [] },
    ],
    WEBHOOK_TEST: [
      "webhook.test",
      "Test event",
      "A test that you requested. It needs no subscription.",
      { isTest: true },
    ],
  },
);

/** Type of the test event, which needs no subscription. */
export const WEBHOOK_TEST = "webhook.test";

/** All events that an endpoint can subscribe to. */
export type SubscribedEventType = Exclude<ValueOf<typeof webhookEvents>, typeof WEBHOOK_TEST>;

/** Events that only the endpoints of owners receive. */
export type OwnerWebhookEventType = Extract<(typeof webhookEvents)[number], { ownersOnly: true }>["value"];

/** Events about customers that an endpoint can subscribe to. */
export type WebhookEventType = Exclude<SubscribedEventType, OwnerWebhookEventType>;

/** All types of events that an endpoint can subscribe to, in the order of the form. */
export const subscribedEventTypes = listValues(webhookEvents).filter((type) => type !== WEBHOOK_TEST);

/** Types of events that only staff receive. */
export const staffEventTypes = webhookEvents.flatMap((event) => ("staffOnly" in event ? [event.value] : []));

/** Types of events that customers receive about themselves. */
export const customerEventTypes = subscribedEventTypes.filter(
  (type) => !isOwnerEventType(type) && !staffEventTypes.some((other) => other === type),
);

/** Returns whether only owners may receive events of a type. */
export function isOwnerEventType(type: string): type is OwnerWebhookEventType {
  return webhookEvents.some((event) => event.value === type && "ownersOnly" in event);
}

/** Staff roles, besides owners, that receive each event. */
export const webhookEventRoles: Readonly<Record<string, readonly StaffRole[]>> = Object.fromEntries(
  webhookEvents.flatMap((event) =>
    "isTest" in event ? [] : [[event.value, "roles" in event ? event.roles : customerStaff]],
  ),
);

/**
 * Returns whether a user receives events of a type: customers about themselves, and admins as far as their roles allow.
 * Everybody receives the test event.
 * @param staffRoles roles of an admin; null for customers
 */
export function canReceiveEvents(type: string, staffRoles: readonly string[] | null): boolean {
  if (type === WEBHOOK_TEST) return true;
  if (staffRoles === null) return customerEventTypes.some((other) => other === type);
  return hasStaffRole(staffRoles, "owner") || (webhookEventRoles[type] ?? []).some((role) => staffRoles.includes(role));
}

/** Statuses of a delivery. */
export const webhookDeliveryStatuses = defineList("WebhookDeliveryStatus", "The status of a delivery.", {
  PENDING: ["pending", "Pending", "Waits for its first or next attempt."],
  DELIVERED: ["delivered", "Delivered", "The endpoint accepted the event."],
  FAILED: ["failed", "Failed", "All attempts failed, or the endpoint was turned off."],
});
export type WebhookDeliveryStatus = ValueOf<typeof webhookDeliveryStatuses>;

/** Results of an attempt. */
export const webhookAttemptStatuses = defineList("WebhookAttemptStatus", "The result of an attempt.", {
  DELIVERED: ["delivered", "Delivered", "The endpoint accepted the event."],
  FAILED: ["failed", "Failed", "The endpoint did not accept the event."],
  INTERRUPTED: [
    "interrupted",
    "Interrupted",
    "Our server stopped during the attempt. The endpoint may have received the event.",
  ],
});
export type WebhookAttemptStatus = ValueOf<typeof webhookAttemptStatuses>;

/** Returns the error of an attempt whose response isn't a success. */
export const describeResponseStatus = (status: number | null) => `The endpoint responded with status ${status}.`;

/** Maximum number of endpoints per user. */
export const MAX_WEBHOOK_ENDPOINTS = 10;

/** Number of days for which events, deliveries and attempts are kept. */
export const WEBHOOK_LOG_DAYS = 30;

/** Number of hours for which deliveries are also signed with the previous secret after it was replaced. */
export const WEBHOOK_ROLL_HOURS = 24;

/** Number of days of failures without a success after which an endpoint is turned off. */
export const WEBHOOK_FAILING_DAYS = 5;
