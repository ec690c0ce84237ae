import { type Static, type TSchema, Type } from "typebox";
import type { ValueOf } from "#schema/closed-list.ts";
import type { webhookEvents } from "#schema/webhooks.ts";

const id = (description: string) => Type.String({ format: "uuid", description });
const text = (description: string) => Type.String({ description });
const count = (description: string) => Type.Integer({ description });
const moment = (description: string) => Type.Unsafe<Date>({ type: "string", format: "date-time", description });
const optionalMoment = (description: string) =>
  Type.Unsafe<Date | null>({ type: ["string", "null"], format: "date-time", description });
const optionalText = (description: string) => Type.Unsafe<string | null>({ type: ["string", "null"], description });
const oneOf = <const Values extends readonly string[]>(values: Values, description: string) =>
  Type.Unsafe<Values[number]>({ type: "string", enum: [...values], description });

const userId = id("The customer.");
const fields = Type.Array(Type.String(), { description: "Names of the changed fields, as in GraphQL." });

const licence = Type.Object(
  {
    id: id("The licence."),
    supportCode: text("`S-` and eight characters."),
    productLevel: count("Product level, as in REST."),
    productLevelName: text("Name of the product level."),
    licenceType: count("Licence type, as in REST."),
    licenceTypeName: text("Name of the licence type."),
    numberOfUsers: count("Number of users, or of seats of a concurrent licence."),
    numberOfMachines: count("Number of devices that can be activated."),
    createdAt: moment("Time of issue."),
    expiresAt: moment("Expiry."),
  },
  { title: "LicenceOfEvent" },
);

/** Licence of a device or seat, with what the add-in's requests know of it. */
const licenceOfDevice = Type.Object(
  {
    id: id("The licence."),
    productLevel: count("Product level, as in REST."),
    productLevelName: text("Name of the product level."),
  },
  { title: "LicenceOfDeviceEvent" },
);

const subscription = Type.Object(
  {
    id: id("The subscription."),
    licenceId: id("The licence that it pays for."),
    priceId: text("The plan price."),
    nextPriceId: optionalText("The plan price from the next renewal on, if it changes."),
    status: oneOf(["active", "past_due", "cancelled"], "State; `cancelled` means ended."),
    isCancelledAtPeriodEnd: Type.Boolean({ description: "Whether it ends with the paid period." }),
    pausedUntil: optionalMoment("Time at which a pause ends; null if the subscription isn't paused."),
    startedAt: moment("Time of the start."),
    currentPeriodEndsAt: moment("End of the period."),
    paidUntil: optionalMoment("End of the paid period."),
    endedAt: optionalMoment("Time of the end."),
  },
  { title: "SubscriptionOfEvent" },
);

const invoice = Type.Object(
  {
    id: id("The tax invoice or adjustment note."),
    number: text("Its number."),
    description: text("What it is for."),
    currency: oneOf(["AUD"], "Currency."),
    amountCents: count("Amount without GST, in cents."),
    discountCents: count("Discount, in cents."),
    gstCents: count("GST, in cents."),
    totalCents: count("Amount including GST, in cents; negative for an adjustment note."),
    priceId: optionalText("The plan price, if there is one."),
    periodStart: optionalMoment("Start of the paid period."),
    periodEnd: optionalMoment("End of the paid period."),
    paidAt: optionalMoment("Time of the payment or refund."),
  },
  { title: "InvoiceOfEvent" },
);

const payment = Type.Object(
  {
    id: id("The attempt."),
    subscriptionId: Type.Unsafe<string | null>({
      type: ["string", "null"],
      format: "uuid",
      description: "The subscription; null if its first payment failed, or the payment of an invoice by hand.",
    }),
    amountCents: count("Amount including GST, in cents."),
    reason: text("The bank's reason, in words."),
    attemptedAt: moment("Time of the attempt."),
    nextRetryAt: optionalMoment("Time of the next automatic attempt, if there is one."),
  },
  { title: "PaymentOfEvent" },
);

const securityEvent = Type.Object(
  {
    id: id("The security event."),
    type: text("Its type, such as `sign-in.failed`."),
    at: moment("Time of the event."),
    actorId: optionalText("The admin who acted on another account."),
    address: text("IP address."),
    count: count("Number of events of a minute that were summarised."),
    detail: Type.Readonly(
      Type.Record(Type.String(), Type.Unknown(), { description: "Fields that depend on the type." }),
    ),
  },
  { title: "SecurityEventOfEvent" },
);

const revocationReasons = ["deactivated", "payment-returned", "replaced", "account-deleted"] as const;
const suspensionReasons = ["archived", "disputed", "paused"] as const;

const subscriptionChanges = [
  "begun",
  "plan-changed",
  "plan-change-planned",
  "plan-change-withdrawn",
  "renewed",
  "payment-failed",
  "payment-recovered",
  "payment-disputed",
  "dispute-closed",
  "cancelled",
  "resumed",
  "paused",
  "pause-ended",
  "ended",
] as const;

/**
 * Schemas of the payloads by event type (docs/webhooks.md). They consist of ids and data that the customer sees in the
 * portal, and never contain licence codes, tokens, card data or personal data other than ids. Fields may be added, never
 * removed.
 */
export const webhookDataSchemas = {
  "licence.issued": Type.Object({ userId, licence }),
  "licence.changed": Type.Object({ userId, licence }),
  "licence.activated": Type.Object({
    userId,
    licence: licenceOfDevice,
    device: Type.Object({
      id: id("The device."),
      machineName: text("Name of the machine."),
      activatedAt: moment("Time of the activation."),
    }),
  }),
  "licence.suspended": Type.Object({
    userId,
    licence,
    reason: oneOf(suspensionReasons, "Why it was suspended."),
    suspendedAt: moment("Time of the suspension."),
  }),
  "licence.revoked": Type.Object({
    userId,
    licence,
    reason: oneOf(revocationReasons, "Why it was revoked."),
    revokedAt: moment("Time of the revocation."),
  }),
  "licence.reinstated": Type.Object({ userId, licence, reinstatedAt: moment("Time of the reinstatement.") }),
  "licence.expiring": Type.Object({ userId, licence }),
  "licence.expired": Type.Object({ userId, licence }),
  "trial.ended": Type.Object({ userId, licence }),
  "device.deactivated": Type.Object({
    userId,
    licence: licenceOfDevice,
    device: Type.Object({
      id: id("The device."),
      machineName: text("Name of the machine."),
      deactivatedAt: moment("Time of the deactivation."),
    }),
    reason: text("The reason given."),
  }),
  "seat.refused": Type.Object({
    userId,
    licence: licenceOfDevice,
    deviceId: id("The device that requested the seat."),
    seats: count("Number of seats."),
    seatsInUse: count("Number of seats in use."),
    refusedAt: moment("Time of the request."),
  }),
  "subscription.changed": Type.Object({
    userId,
    changes: Type.Array(oneOf(subscriptionChanges, "A change."), { description: "At least one change." }),
    subscription,
  }),
  "invoice.paid": Type.Object({ userId, invoice }),
  "invoice.refunded": Type.Object({ userId, invoiceId: id("The refunded tax invoice."), adjustmentNote: invoice }),
  "payment.failed": Type.Object({ userId, payment }),
  "user.created": Type.Object({ userId }),
  "user.changed": Type.Object({ userId, fields }),
  "user.archived": Type.Object({ userId }),
  "user.restored": Type.Object({ userId }),
  "user.erased": Type.Object({ userId }),
  "contact.created": Type.Object({ userId, contactId: id("The contact.") }),
  "contact.changed": Type.Object({ userId, contactId: id("The contact."), fields }),
  "contact.deleted": Type.Object({ userId, contactId: id("The contact.") }),
  "build.published": Type.Object({
    build: Type.Object({ id: id("The build."), name: text("Its stage and version.") }),
  }),
  "security-event.created": Type.Object({
    userId: optionalText("The user; null for an unknown account."),
    securityEvent,
  }),
  "audit-link.created": Type.Object({
    link: Type.Integer({ description: "Number of the link." }),
    hash: text("Its hash, for `audit verify --since`."),
  }),
  "webhook.test": Type.Object({ userId: id("You."), message: text("Says that nothing has happened.") }),
} satisfies Record<ValueOf<typeof webhookEvents>, TSchema>;

/** Payloads by event type. */
export type WebhookData = { [Type in keyof typeof webhookDataSchemas]: Static<(typeof webhookDataSchemas)[Type]> };

/**
 * Reason a licence was revoked: by staff, because its payment was returned, by a replacement, or because its account
 * was deleted.
 */
export type RevocationReason = (typeof revocationReasons)[number];

/** Reason a licence was suspended: its user was archived, or its subscription's payment is disputed or it is paused. */
export type SuspensionReason = (typeof suspensionReasons)[number];

/** A change to a subscription. One event may list several. */
export type SubscriptionChange = (typeof subscriptionChanges)[number];

export type LicenceData = Static<typeof licence>;
export type SubscriptionData = Static<typeof subscription>;
export type InvoiceData = Static<typeof invoice>;
/** A security event, as on its page and in `securityEvents`. */
export type SecurityEventData = Static<typeof securityEvent>;

/** Builds the JSON schema of the body of each event, as served at `/webhook-events.json` (decision 0132). */
export function buildWebhookSchema(events: typeof webhookEvents): object {
  const bodies = events.map(({ value, description }) => [
    value,
    {
      type: "object",
      description,
      required: ["id", "type", "createdAt", "data"],
      properties: {
        id: id("The event, the same for every endpoint and attempt."),
        type: { const: value },
        createdAt: moment("Time of the event."),
        data: webhookDataSchemas[value],
      },
    },
  ]);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Webhook events",
    oneOf: events.map(({ value }) => ({ $ref: `#/$defs/${value}` })),
    $defs: Object.fromEntries(bodies),
  };
}
