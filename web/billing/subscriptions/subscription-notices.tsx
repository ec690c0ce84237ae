import { Button, Group } from "@mantine/core";
import { Link } from "react-router-dom";
import type { CardPayment } from "./use-card-payment.ts";
import { Callout } from "#web/ui/callout.tsx";
import { paths } from "#web/platform/paths.ts";
import { EmptyState } from "#web/ui/message-state.tsx";

interface PendingAuthenticationProps {
  payment: CardPayment;
  /** What the bank confirms. Default `payment`. */
  subject?: "payment" | "card";
  onAnotherCard: () => void;
}

/**
 * Shown if the customer started the bank's authentication but didn't complete it. Offers to continue or to use another
 * card.
 */
export function PendingAuthentication({ payment, subject, onAnotherCard }: PendingAuthenticationProps) {
  if (!payment.waiting || payment.busy) return null;
  return (
    <Callout tone="notice">
      <p role="alert">Your bank has not confirmed the {subject ?? "payment"} yet. Nothing has been charged.</p>
      <Group gap="xs">
        <Button onClick={() => void payment.reopenAuthentication()}>Confirm with your bank</Button>
        <Button
          variant="default"
          onClick={() => {
            payment.cancel();
            onAnotherCard();
          }}
        >
          Use another card
        </Button>
      </Group>
    </Callout>
  );
}

/** Shown if there is no subscription to change, with a link to subscribe. */
export function NoSubscription({ message }: { message: string }) {
  return (
    <EmptyState message={message}>
      <Button component={Link} to={paths.manageSubscription.href()}>
        Subscribe
      </Button>
    </EmptyState>
  );
}
