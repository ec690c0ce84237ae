import { type InferType, number, object, string } from "yup";
import { rulesOf } from "#schema/fields/field.ts";
import { webhookEndpointFields } from "#schema/fields/webhook-endpoint.ts";
import { type WebhookDeliveryStatus, webhookDeliveryStatuses } from "#schema/webhooks.ts";

const statuses = Object.keys(webhookDeliveryStatuses) as WebhookDeliveryStatus[];

/** A webhook endpoint as its owner changes it. */
export const webhookEndpointUpdateRules = object(rulesOf(webhookEndpointFields));
export type WebhookEndpointUpdateValues = InferType<typeof webhookEndpointUpdateRules>;

/** A webhook endpoint as its owner adds it. */
export const webhookEndpointRules = webhookEndpointUpdateRules.omit(["enabled"]);
export type WebhookEndpointValues = InferType<typeof webhookEndpointRules>;

/** Which part of the log of deliveries. */
export const webhookDeliveryListRules = object({
  page: number()
    .typeError("Page must be a number.")
    .integer("Page must be a whole number.")
    .min(1, "Pages begin at 1.")
    .max(100_000, "There is no such page.")
    .default(1),
  status: string().oneOf(statuses, `Status must be one of ${statuses.join(", ")}.`),
});
export type WebhookDeliveryListValues = InferType<typeof webhookDeliveryListRules>;
