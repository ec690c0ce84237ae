import { brand } from "#schema/brand.ts";
import { WEBHOOK_ROLL_HOURS } from "#schema/webhooks.ts";
import { dayAndTime, type MailTemplate } from "./mail-template.ts";
import { Button, Facts, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

/** What happened to an endpoint: it was added, its events go to another address, or it has a new secret. */
export type EndpointChange = "added" | "moved" | "secret-rolled";

export interface WebhookEndpointChangedData {
  readonly firstName: string;
  readonly change: EndpointChange;
  /** Host of the endpoint's URL; its path and query may hold a secret. */
  readonly host: string;
  /** What its owner noted of it, or nothing. */
  readonly description: string;
  readonly eventTypes: readonly string[];
  /** An admin's endpoint hears of every customer. */
  readonly ofEverybody: boolean;
  readonly at: Date;
  /** What the personal access token that asked is called; null for a session. */
  readonly token: string | null;
  /** Browser and system in words. */
  readonly browser: string;
  readonly ip: string;
}

const words: Record<EndpointChange, { subject: string; heading: string; when: string }> = {
  added: {
    subject: "A webhook endpoint was added to",
    heading: "A webhook endpoint was added",
    when: "Added",
  },
  moved: {
    subject: "A webhook endpoint has a new address at",
    heading: "A webhook endpoint has a new address",
    when: "Changed",
  },
  "secret-rolled": {
    subject: "A webhook endpoint has a new signing secret at",
    heading: "A webhook endpoint has a new signing secret",
    when: "Made",
  },
};

/** Tells the owner where events go from now on, or that they are signed anew, so that a thief cannot listen unnoticed. */
export const webhookEndpointChanged: MailTemplate<WebhookEndpointChangedData> = {
  subject: ({ change }) => `${words[change].subject} ${change === "added" ? `your ${brand.name} account` : brand.name}`,
  preview: ({ host }) => `${host}. If this was you, there is nothing to do.`,
  because: `You get this mail because this address belongs to an account at ${brand.name}.`,
  body: ({ firstName, change, host, description, eventTypes, ofEverybody, at, token, browser, ip }, { publicUrl }) => (
    <>
      <Heading>{words[change].heading}</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        {change === "secret-rolled"
          ? `Events are signed with the new secret from now on. The one before signs too for ${WEBHOOK_ROLL_HOURS} hours: put the new one into your software within that time.`
          : `From now on whoever runs the endpoint is told what happens to ${ofEverybody ? "the licences and invoices of every customer" : "your licences and invoices"}, as far as its events go.`}
      </Paragraph>
      <Facts
        facts={[
          ["Endpoint", host],
          ...(description ? [["Description", description] as const] : []),
          ["Events", eventTypes.join(", ")],
          [words[change].when, dayAndTime(at)],
          ...(token === null ? [] : [["Personal access token", token] as const]),
          [token === null ? "Browser" : "Program", browser],
          ["IP address", ip],
        ]}
      />
      <Paragraph>
        {change === "secret-rolled"
          ? "If it was not you, roll the secret again, change your password and revoke the personal access tokens that you do not know."
          : "If it was not you, delete the endpoint, change your password and revoke the personal access tokens that you do not know."}
      </Paragraph>
      <Button href={`${publicUrl}/webhooks/`}>See my webhooks</Button>
      <Note>
        You can't sign in any more, or something else is wrong? Write to <Support />
      </Note>
    </>
  ),
};
