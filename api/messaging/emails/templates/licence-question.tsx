import { brand } from "#schema/brand.ts";
import { LEAK_DAYS } from "#schema/leaks.ts";
import { Button, defineEmail, Facts, Paragraph, Support } from "#api/messaging/emails/template.tsx";

/** Asks a customer whether the unusual use of their licence is theirs. */
export const licenceQuestion = defineEmail({
  name: "licence-question",
  sample: () => ({
    /** Label of the product level. */
    subscriptionLevel: "Professional",
    supportCode: "S-7K3QMX9D",
    networks: 14,
    machines: 9,
  }),
  subject: ({ subscriptionLevel }) => `Is the use of your ${brand.productName} ${subscriptionLevel} licence yours?`,
  preview: () => "Your licence is used in more places than usual.",
  because: `you have a licence at ${brand.name}.`,
  heading: () => "Is this use yours?",
  body: ({ subscriptionLevel, supportCode, networks, machines }, { publicUrl }) => (
    <>
      <Paragraph>
        Your {brand.productName} {subscriptionLevel} licence is used in more places than we expect. If that is your
        team, please tell us, and nothing changes. If not, someone may have your licence code.
      </Paragraph>
      <Facts
        facts={[
          ["Support code", supportCode],
          [`Networks in ${LEAK_DAYS} days`, String(networks)],
          [`Machines in ${LEAK_DAYS} days`, String(machines)],
        ]}
      />
      <Paragraph>
        Please look at your devices and write to <Support /> with the support code. We can replace your licence code.
      </Paragraph>
      <Button href={`${publicUrl}/my-account/`}>View devices</Button>
    </>
  ),
});
