import { type InferType, number, object, string } from "yup";
import { getRules } from "#schema/fields/field.ts";
import { webhookEndpointFields } from "#schema/fields/webhook-endpoint.ts";
import { listValues } from "#schema/closed-list.ts";
import { webhookDeliveryStatuses } from "#schema/webhooks.ts";

const statuses = listValues(webhookDeliveryStatuses);

/** Rules for updating a webhook endpoint. */
export const webhookEndpointUpdateRules = object(getRules(webhookEndpointFields));
export type WebhookEndpointUpdateValues = InferType<typeof webhookEndpointUpdateRules>;

/** Rules for adding a webhook endpoint. */
export const webhookEndpointRules = webhookEndpointUpdateRules.omit(["enabled"]);
export type WebhookEndpointValues = InferType<typeof webhookEndpointRules>;

/** Rules for the page and filter of the delivery log. */
export const webhookDeliveryListRules = object({
  page: number()
    .typeError("Page must be a number.")
    .integer("Page must be a whole number.")
    .min(1, "Page must be at least 1.")
    .max(100_000, "Page must be at most 100,000.")
    .default(1),
  status: string().oneOf(statuses, `Status must be one of ${statuses.join(", ")}.`),
});
export type WebhookDeliveryListValues = InferType<typeof webhookDeliveryListRules>;
