import { type RefObject, useCallback, useState } from "react";
import type { OutcomeFieldsFragment } from "#web/generated/graphql.ts";
import { type CardEntry, PaymentProviderUnreachable } from "#web/billing/card-fields/card-entry.ts";
import { notify } from "#web/platform/notifications.ts";
import { useDialogBusy } from "#web/ui/dialog-busy.ts";

interface CardPaymentOptions {
  card: RefObject<CardEntry | null>;
  /** Fetches the outcome of a payment after the bank's authentication. */
  complete: (id: string) => Promise<OutcomeFieldsFragment | null | undefined>;
  /** Called after the payment, with what the API says about it. */
  onDone: (message: string | null) => void;
  onDeclined: (message: string) => void;
  onFailed: (error: unknown) => void;
  /** Message for a declined payment without a reason. */
  fallback: string;
}

/** Handles the outcome of a payment, including authentication with the bank. */
export function useCardPayment(options: CardPaymentOptions) {
  const { card, complete, onDone, onDeclined, onFailed, fallback } = options;
  const [waiting, setWaiting] = useState<OutcomeFieldsFragment | null>(null);
  const [busy, setBusy] = useState(false);
  useDialogBusy(busy);

  /** Handles an outcome: done, declined, or authentication with the bank. */
  async function settle(outcome: OutcomeFieldsFragment): Promise<void> {
    if (outcome.state === "DONE") {
      setWaiting(null);
      return onDone(outcome.message);
    }
    if (outcome.state === "DECLINED") {
      setWaiting(null);
      return onDeclined(outcome.message ?? fallback);
    }
    setWaiting(outcome);
    await authenticate(outcome);
  }

  async function authenticate({ id, clientSecret }: OutcomeFieldsFragment): Promise<void> {
    if (!id || !clientSecret || !card.current) return;
    setBusy(true);
    try {
      if ((await card.current.confirmWithBank(clientSecret)) === "abandoned") return;
      const outcomeAfterBank = await complete(id);
      // Another id is the overdue payment, which the bank confirms after the card.
      if (outcomeAfterBank?.state === "NEEDS_AUTHENTICATION" && outcomeAfterBank.id === id)
        setWaiting(outcomeAfterBank);
      else if (outcomeAfterBank) await settle(outcomeAfterBank);
    } catch (error) {
      if (error instanceof PaymentProviderUnreachable) return notify.error(error.message);
      // The bank may have confirmed the payment, so it no longer waits. The same request tells its outcome.
      setWaiting(null);
      onFailed(error);
    } finally {
      setBusy(false);
    }
  }

  return {
    /** Payment that still needs the bank's authentication, which the customer didn't complete; null if there is none. */
    waiting,
    /** True while the bank's authentication is in progress. */
    busy,
    settle,
    reopenAuthentication: async () => {
      if (!waiting || busy) return;
      await authenticate(waiting);
    },
    /** Discards the waiting payment, for example to use another card. The API withdraws it. */
    cancel: useCallback(() => setWaiting(null), []),
  };
}

export type CardPayment = ReturnType<typeof useCardPayment>;
