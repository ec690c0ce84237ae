import type { CardPayment } from "./use-card-payment.ts";
import { Button, LinkButton } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import { paths } from "#web/platform/paths.ts";
import { EmptyState } from "#web/ui/message-state.tsx";

/** The bank's question was left open: says so, and the two ways on. */
export function BankWaiting({ payment, onAnotherCard }: { payment: CardPayment; onAnotherCard: () => void }) {
  if (!payment.waiting || payment.busy) return null;
  return (
    <Callout tone="notice">
      <p role="status">Your bank has not confirmed the payment yet. Nothing has been charged.</p>
      <div>
        <Button onClick={() => void payment.askAgain()}>Confirm with Your Bank</Button>
        <Button variant="default" onClick={onAnotherCard}>
          Use Another Card
        </Button>
      </div>
    </Callout>
  );
}

/** There is no subscription to change: says so, and where to get one. */
export function NoSubscription({ message }: { message: string }) {
  return (
    <EmptyState message={message}>
      <LinkButton to={paths.manageSubscription.href()}>Subscribe</LinkButton>
    </EmptyState>
  );
}
