import { Stack, Anchor, Text } from "@mantine/core";
import { Suspense } from "react";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import type { CardFieldsProps } from "./card-entry.ts";
import SimulatorCardFields from "./simulator-card-fields.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { brand } from "#schema/brand.ts";
import { Callout } from "#web/ui/callout.tsx";

/** Tells the customer how to pay while the portal takes no cards. `invoice` is the number of the one to pay. */
export function CardPaymentsOff({ invoice }: { invoice?: string }) {
  const { email } = brand.mailboxes.sales;
  return (
    <Callout tone="notice">
      <Text fw={560}>Card payments are switched off</Text>
      {invoice ? (
        <Text>
          Please pay by bank transfer to the account that is shown with the invoice, with the reference {invoice}.
        </Text>
      ) : (
        <Text>
          You can pay by bank transfer. Write to <Anchor href={`mailto:${email}`}>{email}</Anchor> with the level you
          want, and we will send you an invoice.
        </Text>
      )}
    </Callout>
  );
}

/** Loaded only if the payment provider takes the card, because it needs the provider's libraries. */
const ProviderCardFields = lazyPart(() => import("./provider-card-fields.tsx"), "message");

/** Fields for the card number, expiry date and CVC. The form submits the card through `ref`. */
export function CardFields(props: CardFieldsProps) {
  return (
    <Stack gap="1.25rem">
      {props.source.kind === "SIMULATOR" ? (
        <SimulatorCardFields {...props} />
      ) : (
        <Suspense fallback={<LoadingBlock label="Loading the card fields" />}>
          <ProviderCardFields {...props} />
        </Suspense>
      )}
    </Stack>
  );
}
