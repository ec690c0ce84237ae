import { brand } from "#schema/brand.ts";
import { Button, defineEmail, Facts, LinkInFull, Paragraph } from "#api/messaging/emails/template.tsx";

/** Notifies the owner of a webhook endpoint that it was turned off because deliveries kept failing. */
export const webhookEndpointOff = defineEmail({
  name: "webhook-endpoint-off",
  sample: ({ at }) => ({
    /** Host of the endpoint's URL. The path and query are left out because they can contain a secret. */
    host: "hooks.example.com",
    /** Reason as a complete sentence. */
    reason: "Every attempt failed for 5 days.",
    at,
  }),
  subject: ({ host }) => `Your webhook endpoint at ${host} was turned off`,
  preview: () => "It receives no events until you turn it on again.",
  because: `you added a webhook endpoint at ${brand.name}.`,
  heading: () => "A webhook endpoint was turned off",
  body: ({ host, reason, at }, { publicUrl, dateTime }) => (
    <>
      <Paragraph>We turned off your webhook endpoint. It no longer receives events. {reason}</Paragraph>
      <Facts
        facts={[
          ["Endpoint", host],
          ["Turned off", dateTime(at)],
        ]}
      />
      <Paragraph>
        Open the endpoint under Webhooks to see each delivery attempt and its response. Fix the problem, then turn the
        endpoint on again. You can resend failed events for 30 days. Events that happen while the endpoint is off may be
        missing.
      </Paragraph>
      <Button href={`${publicUrl}/webhooks/`}>View webhooks</Button>
      <LinkInFull href={`${publicUrl}/webhooks/`} />
    </>
  ),
});
