import { Anchor, Text } from "@mantine/core";
import { brand } from "#schema/brand.ts";
import { Callout } from "#web/ui/callout.tsx";

/** Tells the customer how to pay while the portal takes no cards. */
export function CardPaymentsOff() {
  const { email } = brand.mailboxes.sales;
  return (
    <Callout tone="notice">
      <Text fw={560}>Card payments are switched off</Text>
      <Text>
        You can pay by bank transfer. Write to <Anchor href={`mailto:${email}`}>{email}</Anchor> with the level you
        want, and we will send you an invoice.
      </Text>
    </Callout>
  );
}
