import { type InferType, object } from "yup";
import { getRules } from "#schema/field.ts";
import { webhookEndpointFields } from "#schema/fields/webhook-endpoint.ts";
import { moment } from "#schema/moment.ts";

/** Rules for updating a webhook endpoint. */
export const webhookEndpointUpdateRules = object(getRules(webhookEndpointFields));
export type WebhookEndpointUpdateValues = InferType<typeof webhookEndpointUpdateRules>;

/** Rules for adding a webhook endpoint. */
export const webhookEndpointRules = webhookEndpointUpdateRules.omit(["enabled"]);
export type WebhookEndpointValues = InferType<typeof webhookEndpointRules>;

/** Rules for sending events again. */
export const replaySinceRules = object({ since: moment("Choose a time.") });
