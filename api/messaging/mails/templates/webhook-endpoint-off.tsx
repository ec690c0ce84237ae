import { brand } from "#schema/brand.ts";
import { dayAndTime, type MailTemplate } from "./mail-template.ts";
import { Button, Facts, Heading, Hello, LinkInFull, Paragraph } from "./parts.tsx";

export interface WebhookEndpointOffData {
  readonly firstName: string;
  /** Host of the endpoint's URL; its path and query may hold a secret. */
  readonly host: string;
  /** A sentence. */
  readonly reason: string;
  readonly at: Date;
  readonly link: string;
}

/** An endpoint was turned off because it takes nothing: its owner has a program that hears nothing any more. */
export const webhookEndpointOff: MailTemplate<WebhookEndpointOffData> = {
  subject: ({ host }) => `Your webhook endpoint at ${host} was turned off`,
  preview: () => "It is sent nothing until you turn it on again.",
  because: `You get this mail because you added a webhook endpoint at ${brand.name}.`,
  body: ({ firstName, host, reason, at, link }) => (
    <>
      <Heading>A webhook endpoint was turned off</Heading>
      <Hello firstName={firstName} />
      <Paragraph>We have turned your webhook endpoint off and send it nothing any more. {reason}</Paragraph>
      <Facts
        facts={[
          ["Endpoint", host],
          ["Turned off", dayAndTime(at)],
        ]}
      />
      <Paragraph>
        The log shows each attempt and what was answered. Once the endpoint is mended, turn it on again there; what it
        missed can be sent again for 30 days.
      </Paragraph>
      <Button href={link}>Open Webhooks</Button>
      <LinkInFull href={link} />
    </>
  ),
};
