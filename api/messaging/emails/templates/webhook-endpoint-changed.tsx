import { brand } from "#schema/brand.ts";
import { WEBHOOK_ROLL_HOURS } from "#schema/webhooks.ts";
import { Button, defineEmail, Facts, HelpNote, Paragraph } from "#api/messaging/emails/template.tsx";

/** A change to an endpoint: it was added, its URL was changed, or its signing secret was rolled. */
export type EndpointChange = "added" | "moved" | "secret-rolled";

interface WebhookEndpointChangedData {
  readonly change: EndpointChange;
  /** Host of the endpoint's URL. The path and query are left out because they can contain a secret. */
  readonly host: string;
  /** Description written by the owner; empty if there is none. */
  readonly description: string;
  readonly eventTypes: readonly string[];
  /** True for an admin's endpoint, which receives events for every customer. */
  readonly coversAllCustomers: boolean;
  readonly at: Date;
  /** Browser and operating system, such as `Chrome on Windows`. */
  readonly browser: string;
  readonly ip: string;
}

const texts: Record<EndpointChange, { subject: string; heading: string; when: string }> = {
  added: { subject: "A webhook endpoint was added to", heading: "A webhook endpoint was added", when: "Added" },
  moved: {
    subject: "A webhook endpoint URL was changed at",
    heading: "A webhook endpoint URL was changed",
    when: "Changed",
  },
  "secret-rolled": {
    subject: "A webhook signing secret was rolled at",
    heading: "A webhook signing secret was rolled",
    when: "Rolled",
  },
};

/** Notifies the owner of an account that an endpoint was added or changed, in case somebody else did it. */
export const webhookEndpointChanged = defineEmail<WebhookEndpointChangedData>({
  name: "webhook-endpoint-changed",
  sample: ({ at }) => ({
    change: "added",
    host: "hooks.example.com",
    description: "Production",
    eventTypes: ["licence.issued", "licence.revoked", "invoice.paid"],
    coversAllCustomers: false,
    at,
    browser: "curl",
    ip: "203.0.113.7",
  }),
  subject: ({ change }) => `${texts[change].subject} ${change === "added" ? `your ${brand.name} account` : brand.name}`,
  preview: ({ host }) => `${host}. If this was you, you don't need to do anything.`,
  heading: ({ change }) => texts[change].heading,
  body: ({ change, host, description, eventTypes, coversAllCustomers, at, browser, ip }, { publicUrl, dateTime }) => (
    <>
      <Paragraph>
        {change === "secret-rolled"
          ? `Events are now signed with the new secret. For the next ${WEBHOOK_ROLL_HOURS} hours, they are also signed with the old secret. Update your software within that time.`
          : `The endpoint now receives the events listed below for ${coversAllCustomers ? "every customer" : "your account"}.`}
      </Paragraph>
      <Facts
        facts={[
          ["Endpoint", host],
          ...(description ? [["Description", description] as const] : []),
          ["Events", eventTypes.join(", ")],
          [texts[change].when, dateTime(at)],
          ["Browser", browser],
          ["IP address", ip],
        ]}
      />
      <Paragraph>
        {change === "secret-rolled"
          ? "If this wasn't you, roll the secret again and change your password."
          : "If this wasn't you, delete the endpoint and change your password."}
      </Paragraph>
      <Button href={`${publicUrl}/webhooks/`}>View webhooks</Button>
      <HelpNote when="you can't sign in or need help" />
    </>
  ),
});
