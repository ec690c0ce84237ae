import { Stack } from "@mantine/core";
import { Suspense } from "react";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import type { CardFieldsProps } from "./card-entry.ts";
import SimulatorCardFields from "./simulator-card-fields.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";

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
