import { type RefObject, useState } from "react";
import type { OutcomeFieldsFragment } from "#web/generated/graphql.ts";
import { type CardEntry, CardsAway } from "#web/ui/card-fields/card-entry.ts";
import { notify } from "#web/platform/notifications.ts";

export interface CardPaymentOptions {
  card: RefObject<CardEntry | null>;
  /** Asks the api what became of the payment that was at the bank. */
  complete: (id: string) => Promise<OutcomeFieldsFragment | null | undefined>;
  onDone: () => void;
  onDeclined: (message: string) => void;
  onFailed: (error: unknown) => void;
  /** The sentence for a payment that did not go through without a word why. */
  fallback: string;
}

export interface CardPayment {
  /** A payment that waits for the bank's confirmation, which the customer left open; null when there is none. */
  waiting: OutcomeFieldsFragment | null;
  /** The bank is being asked. */
  busy: boolean;
  /** Carries an outcome on: done, declined, or to the bank and back. */
  settle: (outcome: OutcomeFieldsFragment) => Promise<void>;
  /** Asks the bank once more. */
  askAgain: () => Promise<void>;
  /** Leaves the waiting payment, as for another card; the api withdraws it. */
  leave: () => void;
}

/** What happens with the outcome of a payment, the bank's question included. */
export function useCardPayment(options: CardPaymentOptions): CardPayment {
  const { card, complete, onDone, onDeclined, onFailed, fallback } = options;
  const [waiting, setWaiting] = useState<OutcomeFieldsFragment | null>(null);
  const [busy, setBusy] = useState(false);

  async function settle(outcome: OutcomeFieldsFragment): Promise<void> {
    if (outcome.state === "DONE") {
      setWaiting(null);
      return onDone();
    }
    if (outcome.state === "DECLINED") {
      setWaiting(null);
      return onDeclined(outcome.message ?? fallback);
    }
    setWaiting(outcome);
    await atBank(outcome);
  }

  async function atBank({ id, clientSecret }: OutcomeFieldsFragment): Promise<void> {
    if (!id || !clientSecret || !card.current) return;
    setBusy(true);
    try {
      if ((await card.current.askBank(clientSecret)) === "abandoned") return;
      const answer = await complete(id);
      if (answer && answer.state === "NEEDS_AUTHENTICATION") setWaiting(answer);
      else if (answer) await settle(answer);
    } catch (error) {
      if (error instanceof CardsAway) notify.error(error.message);
      else onFailed(error);
    } finally {
      setBusy(false);
    }
  }

  return {
    waiting,
    busy,
    settle,
    askAgain: async () => {
      if (!waiting || busy) return;
      await atBank(waiting);
    },
    leave: () => setWaiting(null),
  };
}
