import { array, boolean, mixed } from "yup";
import { line } from "#schema/rules/text.ts";
import { type WebhookEventType, webhookEventTypes } from "#schema/webhooks.ts";
import type { Fields } from "./field.ts";

const eventTypes = Object.keys(webhookEventTypes) as WebhookEventType[];

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

/** The fields of a webhook endpoint that its owner edits. */
export const webhookEndpointFields = {
  url: { label: "Endpoint URL", rule: endpointUrl(), example: "https://example.com/webhooks", stored: { url: "URL" } },
  description: {
    label: "Description",
    rule: line(200, "Description is too long.").default(""),
    example: "Orders",
  },
  eventTypes: {
    label: "Events",
    rule: array(
      mixed<WebhookEventType>()
        .oneOf(eventTypes, `Event types are ${eventTypes.join(", ")}.`)
        .required(`Event types are ${eventTypes.join(", ")}.`),
    )
      .typeError("Event types must be a list.")
      .required("Please choose at least one event.")
      .min(1, "Please choose at least one event.")
      .max(100, "Each event is needed once.")
      .transform((types: unknown) => (Array.isArray(types) ? [...new Set(types as unknown[])] : types)),
    example: ["licence.issued"],
    stored: { eventTypes: "Event types" },
  },
  enabled: {
    label: "Enabled",
    rule: boolean().typeError("Must be true or false.").required("Enabled is required."),
    example: true,
  },
} satisfies Fields;
