import { array, boolean, type InferType, mixed, number, object, string } from "yup";
import {
  type WebhookDeliveryStatus,
  webhookDeliveryStatuses,
  type WebhookEventType,
  webhookEventTypes,
} from "#schema/webhooks.ts";
import { line } from "./text.ts";

const eventTypes = Object.keys(webhookEventTypes) as WebhookEventType[];
const statuses = Object.keys(webhookDeliveryStatuses) as WebhookDeliveryStatus[];

/** Longest address of an endpoint, in characters. */
const URL_CHARACTERS = 500;

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * An address to which events are posted: https, or http on this machine, which only a server in development accepts. No
 * name and password (they would stand in the log), no fragment (it would never be sent).
 */
function endpointUrl() {
  return line(URL_CHARACTERS, `URL must be at most ${URL_CHARACTERS} characters.`)
    .required("URL is required.")
    .test("url", function checkUrl(value) {
      const refuse = (message: string) => this.createError({ message });
      if (!value) return true;
      if (!URL.canParse(value)) return refuse("Please enter a whole URL, such as https://example.com/webhooks.");
      const { protocol, hostname, username, password } = new URL(value);
      if (protocol !== "https:" && !(protocol === "http:" && loopback.test(hostname)))
        return refuse("URL must start with https://.");
      if (username || password) return refuse("URL must not contain a user name or a password.");
      if (value.includes("#")) return refuse("URL must not contain a fragment (#).");
      return true;
    });
}

const fields = {
  url: endpointUrl(),
  description: line(200, "Description is too long.").default(""),
  eventTypes: array(
    mixed<WebhookEventType>()
      .oneOf(eventTypes, `Event types are ${eventTypes.join(", ")}.`)
      .required(`Event types are ${eventTypes.join(", ")}.`),
  )
    .typeError("Event types must be a list.")
    .required("Please choose at least one event.")
    .min(1, "Please choose at least one event.")
    .max(100, "Each event is needed once.")
    .transform((types: unknown) => (Array.isArray(types) ? [...new Set(types as unknown[])] : types)),
};

/** A webhook endpoint as it is added. */
export const webhookEndpointRules = object(fields);
export type WebhookEndpointValues = InferType<typeof webhookEndpointRules>;

/** A webhook endpoint as it is changed. */
export const webhookEndpointUpdateRules = object({
  ...fields,
  enabled: boolean().typeError("Must be true or false.").required("Enabled is required."),
});
export type WebhookEndpointUpdateValues = InferType<typeof webhookEndpointUpdateRules>;

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
