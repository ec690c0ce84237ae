import { LockMode } from "@mikro-orm/core";
import { auditedValuesOf, valuesOf } from "#schema/fields/field.ts";
import { webhookEndpointFields } from "#schema/fields/webhook-endpoint.ts";
import type { WebhookEndpointUpdateValues, WebhookEndpointValues } from "#schema/rules/webhook.ts";
import { MemberType } from "#schema/catalogue.ts";
import { MOST_WEBHOOK_ENDPOINTS } from "#schema/webhooks.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { refusalOfUrl } from "#api/platform/outside-addresses.ts";
import { sealSecret } from "#api/platform/sealed-secrets.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { AuditAction } from "#api/audit/change-log/audit-actions.ts";
import type { AuditedValues } from "#api/audit/change-log/audit-entry.entity.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import { announceEndpoint } from "./announce-endpoint.ts";
import { callerOf, lockEndpoint } from "./find-endpoint.ts";
import { giveUpPending } from "./turn-off-endpoint.ts";
import { WebhookEndpoint } from "./webhook-endpoint.entity.ts";
import { randomBytes } from "node:crypto";

/** An endpoint and its secret, as they are shown once. */
export interface EndpointSecret {
  readonly endpoint: WebhookEndpoint;
  /** `whsec_…` */
  readonly secret: string;
}

/**
 * Adds an endpoint for the caller, and mails them that there is one. Its secret is kept sealed and shown this once.
 * @throws AppError CONFLICT when they have {@link MOST_WEBHOOK_ENDPOINTS} already, or became an admin meanwhile; BAD_USER_INPUT for an address that
 * is never posted to; RATE_LIMITED after 60 changes in an hour.
 */
export async function addEndpoint(context: Context, values: WebhookEndpointValues): Promise<EndpointSecret> {
  refuseBadUrl(context, values.url);
  await context.rateLimits.take("webhookChange", callerOf(context));
  const secret = newWebhookSecret();
  const endpoint = await inTransaction(context, async (em) => {
    // Under the owner's lock, so that two at once can't both be the last one.
    const owner = await em.findOneOrFail(User, callerOf(context), { lockMode: LockMode.PESSIMISTIC_WRITE });
    refusePromoted(context, owner);
    if ((await em.count(WebhookEndpoint, { owner })) >= MOST_WEBHOOK_ENDPOINTS)
      throw new AppError("CONFLICT", {
        message: `You have ${MOST_WEBHOOK_ENDPOINTS} endpoints, which is as many as there can be. Delete one first.`,
      });
    const added = em.create(WebhookEndpoint, {
      owner,
      url: values.url,
      description: values.description,
      eventTypes: values.eventTypes,
      secret: "",
      createdAt: context.clock.now(),
    });
    added.secret = sealSecret(context.keys, secret, added.id);
    await noteEndpointChange(context, em, "add-webhook-endpoint", added, { after: notedOf(added) });
    await announceEndpoint(context, em, added, { owner, change: "added" });
    return added;
  });
  return { endpoint, secret };
}

/**
 * Changes an endpoint of the caller, and mails them where its URL is another. What waits for its next attempt goes to the new address; what waits for one that
 * is turned off is given up, and one that is turned on again begins with a clean sheet.
 * @throws AppError NOT_FOUND, also for another's; BAD_USER_INPUT as {@link addEndpoint}.
 */
export async function updateEndpoint(
  context: Context,
  id: string,
  values: WebhookEndpointUpdateValues,
): Promise<WebhookEndpoint> {
  await context.rateLimits.take("webhookChange", callerOf(context));
  return inTransaction(context, async (em) => {
    const endpoint = await lockEndpoint(context, em, id);
    refuseBadUrl(context, values.url);
    if (values.enabled && !endpoint.enabled)
      refusePromoted(context, await em.findOneOrFail(User, endpoint.owner.id, { refresh: true }));
    const before = notedOf(endpoint);
    const isMoved = values.url !== endpoint.url;
    if (values.enabled !== endpoint.enabled || isMoved) endpoint.failingSince = null;
    if (values.enabled !== endpoint.enabled) Object.assign(endpoint, { disabledAt: null, disabledReason: null });
    if (!values.enabled) await giveUpPending(em, [endpoint.id]);
    em.assign(endpoint, valuesOf(webhookEndpointFields, values));
    await noteEndpointChange(context, em, "update-webhook-endpoint", endpoint, { before, after: notedOf(endpoint) });
    if (isMoved) {
      const owner = await em.findOneOrFail(User, endpoint.owner.id);
      await announceEndpoint(context, em, endpoint, { owner, change: "moved" });
    }
    return endpoint;
  });
}

/**
 * Deletes an endpoint of the caller with its log; what waits is never sent.
 * @throws AppError NOT_FOUND, also for another's.
 */
export async function deleteEndpoint(context: Context, id: string): Promise<void> {
  await inTransaction(context, async (em) => {
    const endpoint = await lockEndpoint(context, em, id);
    await noteEndpointChange(context, em, "delete-webhook-endpoint", endpoint, { before: notedOf(endpoint) });
    await query(em, "select id from webhook_deliveries where endpoint_id = $1 order by id for update", [endpoint.id]);
    await em.nativeDelete(WebhookEndpoint, endpoint.id);
  });
}

/** Writes a change by an admin to the audit log; customers' own changes are not audited. */
export async function noteEndpointChange(
  context: Context,
  em: EntityManager,
  action: AuditAction,
  { id, url }: WebhookEndpoint,
  values: { before?: AuditedValues; after?: AuditedValues },
): Promise<void> {
  if (context.actor?.role !== "admin") return;
  const subject = { type: "webhook-endpoint" as const, id, name: new URL(url).host };
  await noteChange(context, em, { action, subject, userId: null, ...values });
}

/** The rules let http on this machine pass, for development; here it is refused in production. */
function refuseBadUrl({ config }: Context, url: string): void {
  const refusal = refusalOfUrl(new URL(url), !config.production);
  if (refusal) throw badInput({ url: [refusal] });
}

/** Who became an admin while they asked as a customer asks again: what they turn on hears of every customer. */
function refusePromoted({ actor }: Context, owner: User): void {
  if (owner.memberType === MemberType.Admin && actor?.role !== "admin")
    throw new AppError("CONFLICT", { message: "You became an admin just now. Please load the page again." });
}

const notedOf = (endpoint: WebhookEndpoint): AuditedValues => ({
  ...auditedValuesOf(webhookEndpointFields, endpoint),
  // Without its query, in which some keep a token.
  url: endpoint.url.split("?")[0] ?? "",
});

/** A new secret as Standard Webhooks write it: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}
