import { useEffect, useRef, useState } from "react";
import {
  type ConfirmSubscriptionChangeMutation,
  useConfirmSubscriptionChangeMutation,
} from "#web/generated/graphql.ts";

/** Text and amount of a plan change, as calculated by the payment provider. */
export type ChangePreview = ConfirmSubscriptionChangeMutation["confirmSubscriptionChange"] & { planPriceId: string };

/** Time a choice must stay unchanged before its price is fetched, in milliseconds. */
const PAUSE_MS = 300;

/** Time after which a price is fetched again, in milliseconds. The API keeps a quoted price for an hour. */
const VALID_MS = 30 * 60_000;

/**
 * Fetches the amount due for the chosen plan price in the background.
 * @returns the preview of the chosen price, which is null until it is loaded, and a function that returns a current preview
 */
export function useChangePreview(planPriceId: string) {
  const [confirm] = useConfirmSubscriptionChangeMutation();
  const [known, setKnown] = useState<ChangePreview | null>(null);
  const request = useRef<{ id: string; sentAt: number; answer: Promise<ChangePreview | null> } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  async function fetchPreview(id: string): Promise<ChangePreview | null> {
    try {
      const { data } = await confirm({ variables: { planPriceId: id } });
      const preview = data ? { ...data.confirmSubscriptionChange, planPriceId: id } : null;
      if (request.current?.id === id) setKnown(preview);
      return preview;
    } catch (error) {
      if (request.current?.id === id) request.current = null;
      throw error;
    }
  }

  /** @throws the API's error if the price can't be fetched */
  function getPreview(id: string): Promise<ChangePreview | null> {
    clearTimeout(timer.current);
    const { current } = request;
    if (current?.id === id && Date.now() - current.sentAt < VALID_MS) return current.answer;
    const answer = fetchPreview(id);
    request.current = { id, sentAt: Date.now(), answer };
    return answer;
  }

  useEffect(() => {
    if (!planPriceId) return undefined;
    // An error is shown when the customer submits the form.
    timer.current = setTimeout(() => void getPreview(planPriceId).catch(() => undefined), PAUSE_MS);
    return () => clearTimeout(timer.current);
    // oxlint-disable-next-line react/exhaustive-deps -- only a new choice fetches a price
  }, [planPriceId]);

  return {
    preview: known?.planPriceId === planPriceId ? known : null,
    getPreview,
    /** Discards the preview, because the subscription or the price may have changed. */
    reset: () => {
      request.current = null;
    },
  };
}
