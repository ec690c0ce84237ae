import { defineList, listValues, type ValueOf } from "./closed-list.ts";
import { customerStaff, hasStaffRole, type StaffRole } from "./staff-roles.ts";

/** Roles that may query customers. */

/** Types of webhook events (docs/webhooks.md), in the order of the form. Staff receive those of their roles, which are the roles of the query of the data. */
export const webhookEvents = defineList(
  "WebhookEventType",
  "The type of a webhook event. Requests name it in lower case, such as `licence.issued`.",
  [
    {
      code: "LICENCE_ISSUED",
      value: "licence.issued",
      roles: customerStaff,
      label: "A licence was issued",
      description: "A licence was issued by a trial, a subscription or our staff.",
    },
    {
      code: "LICENCE_CHANGED",
      value: "licence.changed",
      roles: customerStaff,
      label: "A licence was changed or extended",
      description: "The level, seats, devices or expiry of a licence changed.",
    },
    {
      code: "LICENCE_ACTIVATED",
      value: "licence.activated",
      roles: customerStaff,
      label: "A device was activated on a licence",
      description: "A device was activated on a licence.",
    },
    {
      code: "DEVICE_DEACTIVATED",
      value: "device.deactivated",
      roles: customerStaff,
      label: "A device was deactivated",
      description: "A device was deactivated on a licence.",
    },
    {
      code: "SEAT_REFUSED",
      value: "seat.refused",
      roles: customerStaff,
      label: "A seat was refused",
      description: "A device requested a seat of a concurrent licence, and none was available.",
    },
    {
      code: "LICENCE_SUSPENDED",
      value: "licence.suspended",
      roles: customerStaff,
      label: "A licence was suspended",
      description: "A licence was suspended, because its user was archived or its subscription is disputed or paused.",
    },
    {
      code: "LICENCE_REVOKED",
      value: "licence.revoked",
      roles: customerStaff,
      label: "A licence was revoked",
      description: "A licence was revoked and can no longer be used. Not sent when a licence expires.",
    },
    {
      code: "LICENCE_REINSTATED",
      value: "licence.reinstated",
      roles: customerStaff,
      label: "A licence was reinstated",
      description: "A licence that was revoked or suspended can be used again.",
    },
    {
      code: "LICENCE_EXPIRING",
      value: "licence.expiring",
      roles: customerStaff,
      label: "A licence expires in 7 days",
      description: "A licence expires in 7 days, and no subscription renews it.",
    },
    {
      code: "LICENCE_EXPIRED",
      value: "licence.expired",
      roles: customerStaff,
      label: "A licence expired",
      description: "A licence expired. Trials have `trial.ended` instead.",
    },
    {
      code: "TRIAL_ENDED",
      value: "trial.ended",
      roles: customerStaff,
      label: "A trial ended",
      description: "A trial licence expired.",
    },
    {
      code: "SUBSCRIPTION_CHANGED",
      value: "subscription.changed",
      roles: customerStaff,
      label: "A subscription began, changed, was cancelled or ended",
      description: "A subscription began, renewed, changed, missed a payment or ended.",
    },
    {
      code: "INVOICE_PAID",
      value: "invoice.paid",
      roles: customerStaff,
      label: "An invoice was paid",
      description: "A tax invoice was paid.",
    },
    {
      code: "INVOICE_REFUNDED",
      value: "invoice.refunded",
      roles: customerStaff,
      label: "An invoice was refunded",
      description: "An adjustment note was issued for a tax invoice, because it was refunded or voided.",
    },
    {
      code: "PAYMENT_FAILED",
      value: "payment.failed",
      roles: customerStaff,
      label: "A payment failed",
      description: "The bank declined an attempt to charge a card.",
    },
    {
      code: "USER_CREATED",
      value: "user.created",
      roles: customerStaff,
      label: "A user registered or was created",
      staffOnly: true,
      description: "A user registered, or our staff created them.",
    },
    {
      code: "USER_CHANGED",
      value: "user.changed",
      roles: customerStaff,
      label: "A user was changed",
      description: "The profile or settings of a user changed.",
    },
    {
      code: "USER_ARCHIVED",
      value: "user.archived",
      roles: customerStaff,
      label: "A user was archived",
      staffOnly: true,
      description: "Our staff archived a user.",
    },
    {
      code: "USER_RESTORED",
      value: "user.restored",
      roles: customerStaff,
      label: "A user was restored",
      staffOnly: true,
      description: "Our staff restored an archived user.",
    },
    {
      code: "USER_ERASED",
      value: "user.erased",
      roles: customerStaff,
      label: "A user was erased",
      staffOnly: true,
      description: "The account of a user was closed, and its personal data is being erased.",
    },
    {
      code: "CONTACT_CREATED",
      value: "contact.created",
      roles: customerStaff,
      label: "A contact was added",
      staffOnly: true,
      description: "A contact of a user was added or restored.",
    },
    {
      code: "CONTACT_CHANGED",
      value: "contact.changed",
      roles: customerStaff,
      label: "A contact was changed",
      staffOnly: true,
      description: "A contact of a user changed.",
    },
    {
      code: "CONTACT_DELETED",
      value: "contact.deleted",
      roles: customerStaff,
      label: "A contact was deleted",
      staffOnly: true,
      description: "A contact of a user was deleted.",
    },
    {
      code: "BUILD_PUBLISHED",
      value: "build.published",
      roles: ["release"],
      label: "A build was published",
      staffOnly: true,
      description: "A build of the add-in was published to a stage.",
    },
    {
      code: "SECURITY_EVENT_CREATED",
      value: "security-event.created",
      label: "A security event was recorded",
      ownersOnly: true,
      roles: [],
      description: "A sign-in failed, a role changed, data was exported, or another security event was recorded.",
    },
    {
      code: "AUDIT_LINK_CREATED",
      value: "audit-link.created",
      label: "The audit log has a new link",
      ownersOnly: true,
      roles: [],
      description: "The last link of the audit log, at most once an hour. Keep it for `audit verify --since`.",
    },
    {
      code: "WEBHOOK_TEST",
      value: "webhook.test",
      label: "Test event",
      isTest: true,
      description: "A test that you requested. It needs no subscription.",
    },
  ] as const,
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
  webhookEvents.flatMap((event) => ("roles" in event ? [[event.value, event.roles]] : [])),
);

/**
 * Returns whether a user receives events of a type: customers about themselves, and admins as far as their roles allow.
 * @param staffRoles roles of an admin; null for customers
 */
export function canReceiveEvents(type: string, staffRoles: readonly string[] | null): boolean {
  if (staffRoles === null) return customerEventTypes.some((other) => other === type);
  return hasStaffRole(staffRoles, "owner") || (webhookEventRoles[type] ?? []).some((role) => staffRoles.includes(role));
}

/** Statuses of a delivery. */
export const webhookDeliveryStatuses = defineList("WebhookDeliveryStatus", "The status of a delivery.", {
  PENDING: ["pending", "Pending", "Waits for its first or next attempt."],
  DELIVERED: ["delivered", "Delivered", "The endpoint accepted the event."],
  FAILED: ["failed", "Failed", "All attempts failed."],
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

/** Maximum number of endpoints per user. */
export const MAX_WEBHOOK_ENDPOINTS = 10;

/** Number of days for which events, deliveries and attempts are kept. */
export const WEBHOOK_LOG_DAYS = 30;

/** Number of hours for which deliveries are also signed with the previous secret after it was replaced. */
export const WEBHOOK_ROLL_HOURS = 24;

/** Number of days of failures without a success after which an endpoint is turned off. */
export const WEBHOOK_FAILING_DAYS = 5;
