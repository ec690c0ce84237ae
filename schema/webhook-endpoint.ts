import { array, boolean, type InferType, mixed, object } from "yup";
import { defineFields, getRules } from "./field.ts";
import { moment } from "./moment.ts";
import { line } from "./text.ts";
import { type SubscribedEventType, subscribedEventTypes, webhookEvents } from "./webhooks.ts";

const knownTypes = `Event types are ${subscribedEventTypes.join(", ")}.`;

/** Maximum length of an endpoint's URL in characters. */
const MAX_URL_LENGTH = 500;

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns the rule for an endpoint URL: https, or http on localhost, which the API accepts only in development. A user
 * name and password would end up in logs, and a fragment is never sent, so both are rejected.
 */
function urlRule() {
  return line(MAX_URL_LENGTH, `URL must be at most ${MAX_URL_LENGTH} characters.`)
    .required("URL is required.")
    .test("url", function checkUrl(value) {
      const reject = (message: string) => this.createError({ message });
      if (!value) return true;
      if (!URL.canParse(value)) return reject("Enter a complete URL, such as https://example.com/webhooks.");
      const { protocol, hostname, username, password } = new URL(value);
      if (protocol !== "https:" && !(protocol === "http:" && loopback.test(hostname)))
        return reject("URL must start with https://.");
      if (username || password) return reject("URL must not contain a user name or a password.");
      if (value.includes("#")) return reject("URL must not contain a fragment (#).");
      return true;
    });
}

/** Fields of a webhook endpoint that its owner edits. */
export const webhookEndpointFields = defineFields({
  url: { label: "Endpoint URL", rule: urlRule(), example: "https://example.com/webhooks", stored: { url: "URL" } },
  description: { label: "Description", rule: line(200, "Description is too long.").default(""), example: "Orders" },
  eventTypes: {
    label: "Events",
    rule: array(
      mixed<SubscribedEventType>()
        .oneOf(subscribedEventTypes, knownTypes)
        .required(knownTypes)
        .meta({ list: () => webhookEvents }),
    )
      .typeError("Event types must be a list.")
      .required("Please choose at least one event.")
      .min(1, "Please choose at least one event.")
      .max(100, "Choose at most 100 events.")
      .transform((types: unknown) => (Array.isArray(types) ? [...new Set(types as unknown[])] : types)),
    example: ["licence.issued"],
    stored: { eventTypes: "Event types" },
  },
  enabled: {
    label: "Enabled",
    rule: boolean().typeError("Must be true or false.").nullable(),
    example: true,
  },
});

/** Rules for updating a webhook endpoint. */
export const webhookEndpointUpdateRules = object(getRules(webhookEndpointFields));
export type WebhookEndpointUpdateValues = InferType<typeof webhookEndpointUpdateRules>;

/** Rules for adding a webhook endpoint. */
export const webhookEndpointRules = webhookEndpointUpdateRules.omit(["enabled"]);
export type WebhookEndpointValues = InferType<typeof webhookEndpointRules>;

/** Rules for sending events again. */
export const replaySinceRules = object({ since: moment("Choose a time.") });
