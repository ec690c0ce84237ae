import { inTransaction } from "#api/platform/database/database.ts";
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import {
  replaySinceRules,
  webhookEndpointRules,
  webhookEndpointUpdateRules,
  type WebhookEndpointUpdateValues,
  type WebhookEndpointValues,
} from "#schema/webhook-endpoint.ts";
import {
  MAX_WEBHOOK_ENDPOINTS,
  WEBHOOK_ROLL_HOURS,
  type WebhookAttemptStatus,
  webhookAttemptStatuses,
  webhookDeliveryStatuses,
  webhookEvents,
} from "#schema/webhooks.ts";
import {
  Allow,
  createPage,
  createType,
  DeletedObject,
  enumType,
  field,
  Scope,
  toDeletedObject,
} from "#api/platform/graphql/declare.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { check, isUuid } from "#api/platform/validate.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createPageCost, PageArgs, toRowRange } from "#api/platform/graphql/page.ts";
import { loadReference } from "#api/platform/graphql/loaders.ts";
import {
  addEndpoint,
  deleteEndpoint,
  generateWebhookSecret,
  recordEndpointChange,
  updateEndpoint,
  WebhookEndpointSecret,
  emailEndpointOwner,
} from "./change-endpoint.ts";
import { lockEndpoint } from "./lock-endpoint.ts";
import { listFinishedAttempts, listDeliveries } from "./list-deliveries.ts";
import { replayDelivery, replaySince, sendTestEvent } from "./send-webhook.ts";
import { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from "./webhook-endpoint.entity.ts";
import { addMilliseconds, HOUR } from "#api/platform/clock.ts";
import { sealSecret } from "#api/platform/keys/sealed-secrets.ts";
import { User } from "#api/people/users/user.entity.ts";

const eventTypes =
  "The events to send, at least one. Only owners receive `SECURITY_EVENT_CREATED` and `AUDIT_LINK_CREATED`.";
const url =
  "An https URL of at most 500 characters, without user name, password or fragment. The port must be 443, or 1024 or above.";

const WebhookEndpointInput = createInput("WebhookEndpointInput", webhookEndpointRules, {
  description: "The input for adding a webhook endpoint.",
  fields: { url, description: "A note for yourself, at most 200 characters.", eventTypes },
});

const WebhookEndpointUpdateInput = createInput("WebhookEndpointUpdateInput", webhookEndpointUpdateRules, {
  description: "The input for updating a webhook endpoint.",
  fields: {
    url,
    description: "A note for yourself, at most 200 characters.",
    eventTypes,
    enabled: "Whether events are sent to the endpoint. Stays as it is if left out or null.",
  },
});

export const WebhookDeliveryPage = createPage(
  "WebhookDeliveryPage",
  "signedIn",
  "A page of deliveries, newest first.",
  { rows: field.list(() => WebhookDelivery, "The deliveries of the page.", { access: Scope("webhooks:read") }) },
);
export type WebhookDeliveryPage = InstanceType<typeof WebhookDeliveryPage>;

export const ReplayedEvents = createType("ReplayedEvents", "signedIn", "Events that are sent to an endpoint again.", {
  count: field.integer("Number of events."),
  endpoint: field.object(() => WebhookEndpoint, "The endpoint.", { access: Scope("webhooks:read") }),
});
export type ReplayedEvents = InstanceType<typeof ReplayedEvents>;

@Resolver(() => WebhookEndpoint)
export class WebhookResolver {
  @Allow("signedIn", { scope: "webhooks:read" })
  @Query(() => [WebhookEndpoint], {
    description: "The caller's endpoints, oldest first.",
    complexity: ({ childComplexity }: { childComplexity: number }) => MAX_WEBHOOK_ENDPOINTS * childComplexity,
  })
  webhookEndpoints(@Ctx() context: Context): Promise<WebhookEndpoint[]> {
    const orderBy = { createdAt: "asc", id: "asc" } as const;
    return context.em.find(WebhookEndpoint, { owner: getCallerId(context) }, { orderBy });
  }

  @Allow("signedIn", { scope: "webhooks:read" })
  @Query(() => WebhookEndpoint, {
    nullable: true,
    description: "One of the caller's endpoints; null if it doesn't exist or belongs to another user.",
  })
  async webhookEndpoint(
    @Arg("id", () => ID, { description: "The endpoint." }) id: string,
    @Ctx() context: Context,
  ): Promise<WebhookEndpoint | null> {
    return isUuid(id) ? context.em.findOne(WebhookEndpoint, { id, owner: getCallerId(context) }) : null;
  }

  @Allow("signedIn", { harm: "access" })
  @Mutation(() => WebhookEndpointSecret, {
    description: `Adds a webhook endpoint. A user may have at most ${MAX_WEBHOOK_ENDPOINTS}.`,
  })
  addWebhookEndpoint(
    @CheckedArg("input", WebhookEndpointInput) input: WebhookEndpointValues,
    @Ctx() context: Context,
  ): Promise<WebhookEndpointSecret> {
    return addEndpoint(context, input);
  }

  @Allow("signedIn", { harm: "access" })
  @Mutation(() => WebhookEndpoint, { description: "Changes a webhook endpoint." })
  updateWebhookEndpoint(
    @Arg("id", () => ID, { description: "The endpoint." }) id: string,
    @CheckedArg("input", WebhookEndpointUpdateInput) input: WebhookEndpointUpdateValues,
    @Ctx() context: Context,
  ): Promise<WebhookEndpoint> {
    return updateEndpoint(context, id, input);
  }

  @Allow("signedIn", { scope: "webhooks:write" })
  @Mutation(() => DeletedObject, {
    description: "Deletes an endpoint and its delivery log. Pending deliveries are never sent.",
  })
  async deleteWebhookEndpoint(
    @Arg("id", () => ID, { description: "The endpoint." }) id: string,
    @Ctx() context: Context,
  ): Promise<DeletedObject> {
    await deleteEndpoint(context, id);
    return toDeletedObject(id);
  }

  @Allow("signedIn", { harm: "access" })
  @Mutation(() => WebhookEndpointSecret, {
    description: `Creates a new signing secret. The previous one also signs for ${WEBHOOK_ROLL_HOURS} hours.`,
  })
  rollWebhookSecret(
    @Arg("id", () => ID, { description: "The endpoint." }) id: string,
    @Ctx() context: Context,
  ): Promise<WebhookEndpointSecret> {
    return rollSecret(context, id);
  }

  @Allow("signedIn", { scope: "webhooks:write" })
  @Mutation(() => WebhookDelivery, { description: "Sends the event `webhook.test` to an endpoint." })
  sendTestWebhook(
    @Arg("id", () => ID, { description: "The endpoint." }) id: string,
    @Ctx() context: Context,
  ): Promise<WebhookDelivery> {
    return sendTestEvent(context, id);
  }

  @Allow("signedIn", { scope: "webhooks:write" })
  @Mutation(() => WebhookDelivery, {
    description: "Sends the event of a delivery to the same endpoint again, as a new delivery with the same event id.",
  })
  replayWebhookDelivery(
    @Arg("id", () => ID, { description: "The delivery." }) id: string,
    @Ctx() context: Context,
  ): Promise<WebhookDelivery> {
    return replayDelivery(context, id);
  }

  @Allow("signedIn", { scope: "webhooks:write" })
  @Mutation(() => ReplayedEvents, {
    description:
      "Sends all events since a time to an endpoint again, at most 10,000 of the last 30 days. Each has its event ID, and the types that the endpoint receives now. Events that happened while the endpoint was off may be missing.",
  })
  replayWebhookEventsSince(
    @Arg("id", () => ID, { description: "The endpoint." }) id: string,
    @Arg("since", () => Date, { description: "The time of the first event, in UTC." }) since: string,
    @Ctx() context: Context,
  ): Promise<ReplayedEvents> {
    return replaySince(context, id, check(replaySinceRules, { since }).since);
  }

  @Allow("signedIn", { scope: "webhooks:read" })
  @FieldResolver(() => WebhookDeliveryPage, {
    description: "The deliveries of the last 30 days, newest first.",
    complexity: createPageCost(),
  })
  deliveries(
    @Root() endpoint: WebhookEndpoint,
    @Args(() => PageArgs) page: PageArgs,
    @Arg("status", enumType(webhookDeliveryStatuses), {
      nullable: true,
      description: "Returns only deliveries with this status.",
    })
    status: string | null,
    @Ctx() context: Context,
  ): Promise<WebhookDeliveryPage> {
    return listDeliveries(context, endpoint.id, { status, ...toRowRange(page) });
  }
}

@Resolver(() => WebhookDelivery)
export class WebhookDeliveryResolver {
  @FieldResolver(() => ID, {
    description: "The id of the event, which is the same for all its deliveries and attempts.",
  })
  eventId(@Root() delivery: WebhookDelivery): string {
    return delivery.event.id;
  }

  @Allow("signedIn", { scope: "webhooks:read" })
  @FieldResolver(() => WebhookEndpoint, { description: "The endpoint that the event is sent to." })
  async endpoint(@Root() delivery: WebhookDelivery): Promise<WebhookEndpoint> {
    return loadReference(delivery.endpoint);
  }

  @FieldResolver(enumType(webhookEvents), { description: "The type of the event." })
  async eventType(@Root() delivery: WebhookDelivery): Promise<string> {
    return (await loadReference(delivery.event)).type;
  }

  @FieldResolver(() => String, { description: "The JSON body of the request." })
  async payload(@Root() delivery: WebhookDelivery): Promise<string> {
    return (await loadReference(delivery.event)).payload;
  }

  @Allow("signedIn", { scope: "webhooks:read" })
  @FieldResolver(() => [WebhookAttempt], { description: "The finished attempts, oldest first." })
  attempts(@Root() delivery: WebhookDelivery, @Ctx() context: Context): Promise<WebhookAttempt[]> {
    return listFinishedAttempts(context, delivery.id);
  }
}

@Resolver(() => WebhookAttempt)
export class WebhookAttemptResolver {
  @FieldResolver(enumType(webhookAttemptStatuses), { description: webhookAttemptStatuses.meaning })
  status(@Root() { openUntil, error }: WebhookAttempt): WebhookAttemptStatus {
    // An attempt without a recorded end was interrupted, because its process was killed.
    if (openUntil !== null) return "interrupted";
    return error === null ? "delivered" : "failed";
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "The reason the attempt failed, as a sentence; null if it was delivered.",
  })
  error(@Root() { openUntil, error }: WebhookAttempt): string | null {
    return openUntil === null
      ? error
      : "Our server was interrupted before it got a response. Your endpoint may or may not have received the event.";
  }
}

/**
 * Replaces the secret of one of the caller's endpoints, returns the new one and emails the caller. Requests are also
 * signed with the previous secret for 24 hours, so that the receiver can change over. After several rolls in that time,
 * only the two newest secrets are used.
 * @throws AppError NOT_FOUND if the caller has no such endpoint; RATE_LIMITED after 60 changes in an hour.
 */
async function rollSecret(context: Context, id: string): Promise<WebhookEndpointSecret> {
  await context.rateLimits.take("webhookChange", getCallerId(context));
  const secret = generateWebhookSecret();
  const endpoint = await inTransaction(context, async (em) => {
    const locked = await lockEndpoint(context, em, id);
    locked.previousSecret = locked.secret;
    locked.previousSecretUntil = addMilliseconds(context.clock.now(), WEBHOOK_ROLL_HOURS * HOUR);
    locked.secret = sealSecret(context.encryptionKeys, secret, locked.id);
    await recordEndpointChange(context, em, "roll-webhook-secret", locked, {});
    const owner = await em.findOneOrFail(User, locked.owner.id);
    await emailEndpointOwner(context, em, locked, { owner, change: "secret-rolled" });
    return locked;
  });
  return { endpoint, secret };
}
