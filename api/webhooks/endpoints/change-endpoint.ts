import { createType, field, Scope } from "#api/platform/graphql/declare.ts";
import { getAuditedValues, pickFields } from "#schema/field.ts";
import {
  webhookEndpointFields,
  type WebhookEndpointUpdateValues,
  type WebhookEndpointValues,
} from "#schema/webhook-endpoint.ts";
import { MemberType } from "#schema/user.ts";
import { isOwnerEventType, MAX_WEBHOOK_ENDPOINTS } from "#schema/webhooks.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, lockRow, query } from "#api/platform/database/database.ts";
import { badInput, conflict } from "#api/platform/errors.ts";
import { explainUrlRefusal } from "#api/platform/http/external-addresses.ts";
import { sealSecret } from "#api/platform/keys/sealed-secrets.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { AuditAction } from "#api/audit/change-log/audit-actions.ts";
import type { AuditedValues } from "#api/audit/change-log/audit-entry.entity.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { lockEndpoint } from "./lock-endpoint.ts";
import { canCallerReceive } from "./list-deliveries.ts";
import { WebhookEndpoint } from "./webhook-endpoint.entity.ts";
import { randomBytes } from "node:crypto";
import { describeDevice } from "#api/access/sessions/user-agent.ts";
import {
  type EndpointChange,
  webhookEndpointChanged,
} from "#api/messaging/emails/templates/webhook-endpoint-changed.tsx";
import { emailUser } from "#api/messaging/emails/send-email.ts";

export const WebhookEndpointSecret = createType(
  "WebhookEndpointSecret",
  "signedIn",
  "An endpoint with its signing secret. The secret is returned only once.",
  {
    endpoint: field.object(() => WebhookEndpoint, "The endpoint.", { access: Scope("session") }),
    secret: field.text("The secret (`whsec_…`) for verifying signatures, as specified by standardwebhooks.com."),
  },
);
export type WebhookEndpointSecret = InstanceType<typeof WebhookEndpointSecret>;

/**
 * Adds an endpoint for the caller and emails them about it. The secret is stored sealed and returned only here.
 * @throws AppError CONFLICT if the caller already has {@link MAX_WEBHOOK_ENDPOINTS} or has just become an admin;
 * BAD_USER_INPUT if the URL isn't a public address or the caller may not read an event; RATE_LIMITED after 60 changes in an hour.
 */
export async function addEndpoint(context: Context, values: WebhookEndpointValues): Promise<WebhookEndpointSecret> {
  rejectPrivateUrl(context, values.url);
  rejectForeignEvents(context, values.eventTypes);
  await context.rateLimits.take("webhookChange", getCallerId(context));
  const secret = generateWebhookSecret();
  const endpoint = await inTransaction(context, async (em) => {
    // Lock the owner so that concurrent requests can't exceed the limit.
    const owner = await lockRow(em, User, getCallerId(context));
    rejectNewAdmin(context, owner);
    if ((await em.count(WebhookEndpoint, { owner })) >= MAX_WEBHOOK_ENDPOINTS)
      throw conflict(`You have reached the limit of ${MAX_WEBHOOK_ENDPOINTS} endpoints. Delete one first.`);
    const added = em.create(WebhookEndpoint, {
      owner,
      url: values.url,
      description: values.description,
      eventTypes: values.eventTypes,
      secret: "",
      createdAt: context.clock.now(),
    });
    added.secret = sealSecret(context.encryptionKeys, secret, added.id);
    await recordEndpointChange(context, em, "add-webhook-endpoint", added, { after: toAuditedValues(added) });
    await emailEndpointOwner(context, em, added, { owner, change: "added" });
    return added;
  });
  return { endpoint, secret };
}

/**
 * Updates one of the caller's endpoints, and emails them if its URL changes. Pending deliveries go to the new URL. Turning
 * the endpoint off cancels them, and turning it on again clears its record of failures. An endpoint can be turned off also if
 * its URL is no longer allowed. Events that it has already may stay, even if the caller may not receive them any more.
 * @throws AppError NOT_FOUND if the caller has no such endpoint; CONFLICT and BAD_USER_INPUT as {@link addEndpoint} does;
 * RATE_LIMITED after 60 changes in an hour.
 */
export async function updateEndpoint(
  context: Context,
  id: string,
  values: WebhookEndpointUpdateValues,
): Promise<WebhookEndpoint> {
  await context.rateLimits.take("webhookChange", getCallerId(context));
  return inTransaction(context, async (em) => {
    const endpoint = await lockEndpoint(context, em, id);
    const hasNewUrl = values.url !== endpoint.url;
    const enabled = values.enabled ?? endpoint.enabled;
    // A rule from after the endpoint was added must not keep its owner from turning it off.
    if (enabled || hasNewUrl) rejectPrivateUrl(context, values.url);
    // Admins who lost a role must be able to turn the endpoint off. It receives nothing that they may not read.
    const added = values.eventTypes.filter((type) => !endpoint.eventTypes.includes(type));
    rejectForeignEvents(context, added);
    if (enabled && !endpoint.enabled)
      rejectNewAdmin(context, await em.findOneOrFail(User, endpoint.owner.id, { refresh: true }));
    const before = toAuditedValues(endpoint);
    if (enabled !== endpoint.enabled || hasNewUrl) endpoint.failingSince = null;
    if (enabled !== endpoint.enabled) Object.assign(endpoint, { disabledAt: null, disabledReason: null });
    if (!enabled) await cancelPendingDeliveries(em, [endpoint.id]);
    em.assign(endpoint, pickFields(webhookEndpointFields, { ...values, enabled }));
    await recordEndpointChange(context, em, "update-webhook-endpoint", endpoint, {
      before,
      after: toAuditedValues(endpoint),
    });
    if (hasNewUrl) {
      const owner = await em.findOneOrFail(User, endpoint.owner.id);
      await emailEndpointOwner(context, em, endpoint, { owner, change: "moved" });
    }
    return endpoint;
  });
}

/**
 * Deletes an endpoint of the caller with its delivery log. Pending deliveries are never sent.
 * @throws AppError NOT_FOUND if the caller has no such endpoint.
 */
export async function deleteEndpoint(context: Context, id: string): Promise<void> {
  await inTransaction(context, async (em) => {
    const endpoint = await lockEndpoint(context, em, id);
    await recordEndpointChange(context, em, "delete-webhook-endpoint", endpoint, { before: toAuditedValues(endpoint) });
    await query(em, "select id from webhook_deliveries where endpoint_id = $1 order by id for update", [endpoint.id]);
    await em.nativeDelete(WebhookEndpoint, endpoint.id);
  });
}

/** Records a change by an admin in the audit log. Changes by customers are not audited. */
export async function recordEndpointChange(
  context: Context,
  em: EntityManager,
  action: AuditAction,
  { id, url }: WebhookEndpoint,
  values: { before?: AuditedValues; after?: AuditedValues },
): Promise<void> {
  if (context.actor?.role !== "admin") return;
  const subject = { type: "webhook-endpoint" as const, id, name: new URL(url).host };
  await recordChange(context, em, { action, subject, userId: null, ...values });
}

/** Rejects addresses that aren't public. The rules accept http on localhost for development; production rejects it here. */
function rejectPrivateUrl({ config }: Context, url: string): void {
  const refusal = explainUrlRefusal(new URL(url), !config.production);
  if (refusal) throw badInput({ url: [refusal] });
}

/** Rejects events whose data the caller may not read. */
function rejectForeignEvents({ actor }: Context, eventTypes: readonly string[]): void {
  const refused = eventTypes.filter((type) => !canCallerReceive({ actor }, type));
  if (refused.length === 0) return;
  const message = refused.every(isOwnerEventType)
    ? "Only owners can receive security events and audit links."
    : actor?.role !== "admin"
      ? `Only staff can receive ${refused.join(", ")}.`
      : `Your staff role doesn't include ${refused.join(", ")}.`;
  throw badInput({ eventTypes: [message] });
}

/**
 * Rejects a request made as a customer if the user has since become an admin, because the endpoint would now receive events
 * for every customer.
 */
function rejectNewAdmin({ actor }: Context, owner: User): void {
  if (owner.memberType === MemberType.Admin && actor?.role !== "admin")
    throw conflict("You have just become an admin. Reload the page and try again.");
}

const toAuditedValues = (endpoint: WebhookEndpoint): AuditedValues => ({
  ...getAuditedValues(webhookEndpointFields, endpoint),
  // The query may contain a token.
  url: endpoint.url.split("?")[0] ?? "",
});

/** Returns a new secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/**
 * Emails the owner that an endpoint was added, has a new URL or has a new secret, and from which browser, in the transaction of
 * `em`. The email exposes an attacker who adds an endpoint to read licence and invoice events.
 */
export async function emailEndpointOwner(
  context: Context,
  em: EntityManager,
  endpoint: WebhookEndpoint,
  { owner, change }: { owner: User; change: EndpointChange },
): Promise<void> {
  const { actor, clock, origin } = context;
  await emailUser(context, em, owner, webhookEndpointChanged, {
    change,
    host: new URL(endpoint.url).host,
    description: endpoint.description,
    eventTypes: endpoint.eventTypes,
    coversAllCustomers: actor?.role === "admin",
    at: clock.now(),
    browser: describeDevice(origin.userAgent),
    ip: origin.ip,
  });
}

/** Reasons, shown to the owner, for which all endpoints of a user are turned off. */
const reasons = {
  closure: "The account was closed.",
  promotion:
    "Turned off when you became an admin, because it would receive events for every customer. Turn it on if that is what you want.",
  reset: "Turned off when your password was reset with an emailed link. Check its URL before you turn it on.",
  "not-me": "Turned off when you reported something that wasn't you. Check its URL before you turn it on.",
} as const;

/**
 * Turns off every endpoint of a user. An endpoint of a user who becomes an admin would start to receive events for every
 * customer, and an endpoint from before a reset link was opened may be a stranger's. The transaction of `em` must have
 * locked the user's row.
 * @returns the number of endpoints that were on
 */
export async function turnOffEndpoints(
  em: EntityManager,
  ownerId: string,
  at: Date,
  reason: keyof typeof reasons,
): Promise<number> {
  const turnedOff = await query<{ id: string }>(
    em,
    `update webhook_endpoints set enabled = false, disabled_at = $2, disabled_reason = $3, failing_since = null
      where id in (select id from webhook_endpoints where owner_id = $1 and enabled order by id for no key update)
     returning id`,
    [ownerId, at, reasons[reason]],
  );
  await cancelPendingDeliveries(
    em,
    turnedOff.map(({ id }) => id),
  );
  return turnedOff.length;
}

/** Marks the pending deliveries of endpoints as failed. The endpoint's owner can replay them. */
export async function cancelPendingDeliveries(em: EntityManager, endpointIds: readonly string[]): Promise<void> {
  await query(
    em,
    `update webhook_deliveries set status = 'failed', next_attempt_at = null, queued_until = null, claimed_until = null
      where status = 'pending' and id in (
        select id from webhook_deliveries where endpoint_id = any($1) and status = 'pending' order by id for update)`,
    [endpointIds],
  );
}
