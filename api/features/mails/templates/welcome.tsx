import { brand } from "#schema/brand.ts";
import type { MailTemplate } from "./mail-template.ts";
import { Button, Heading, Hello, Note, Paragraph, Support, TextLink } from "./parts.tsx";

export interface WelcomeData {
  readonly firstName: string;
}

/** Greets a person whose address has just been confirmed and shows the two ways on. */
export const welcome: MailTemplate<WelcomeData> = {
  subject: () => `Welcome to ${brand.name}`,
  preview: () => `Your account is ready. Try ${brand.productName} for free.`,
  because: `You get this mail because you confirmed your account at ${brand.name}.`,
  body: ({ firstName }, { publicUrl }) => (
    <>
      <Heading>Welcome</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        Your email address is confirmed and your account is ready. The free trial gives you everything that{" "}
        {brand.productName} Professional can do, and asks for no card.
      </Paragraph>
      <Button href={`${publicUrl}/try-${brand.segment}/`}>Start my free trial</Button>
      <Paragraph>
        Your licences and devices are always to be found in your account:{" "}
        <TextLink href={`${publicUrl}/my-account/`}>{`${publicUrl}/my-account/`}</TextLink>
      </Paragraph>
      <Note>
        Questions? Write to <Support />
      </Note>
    </>
  ),
};
