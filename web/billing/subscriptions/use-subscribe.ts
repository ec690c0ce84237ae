import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import { PRICE_CHANGED } from "#schema/plan-catalogue.ts";
import { clearTrialIntent } from "#web/platform/landing.ts";
import { paths } from "#web/platform/paths.ts";
import {
  useCompleteSubscriptionMutation,
  useConfirmSubscriptionMutation,
  useSubscribeMutation,
} from "#web/generated/graphql.ts";
import { createRequestKey } from "#web/billing/request-key.ts";
import { type CardEntry, type CardFieldName, PaymentProviderUnreachable } from "#web/billing/card-fields/card-entry.ts";
import { notify } from "#web/platform/notifications.ts";
import { getErrorCode, getFieldErrors, formatError, getProblems } from "#web/platform/server-error.ts";
import type { Product } from "./products.ts";
import type { PromoCode, SubscribeValues } from "./use-promo-code.ts";
import { useCardPayment } from "./use-card-payment.ts";

const FALLBACK = "Unable to subscribe.";
const UNCONFIRMED = "We couldn't confirm your payment. Please select Subscribe again. You will not be charged twice.";

/** The terms that the customer has to confirm. */
interface SubscribeConfirmation {
  /** False once the customer has answered, while the dialog closes. */
  opened: boolean;
  message: string;
  planPriceId: string;
  promoCode: string | null;
  totalCents: number;
}

/**
 * One attempt to subscribe, with its idempotency key and card. It is kept until its outcome is known. A declined card or
 * a change in the form starts a new one.
 */
interface Intent {
  key: string;
  subject: string;
  paymentMethodId: string | null;
}

const createIntent = (subject = ""): Intent => ({ key: createRequestKey(), subject, paymentMethodId: null });

interface SubscribeOptions {
  form: UseFormReturn<SubscribeValues>;
  card: RefObject<CardEntry | null>;
  product: Product | null;
  promo: PromoCode;
  reload: () => Promise<unknown>;
}

/** Runs the steps of subscribing: card, confirmation text, the customer's confirmation, payment, and the bank's authentication. */
export function useSubscribe({ form, card, product, promo, reload }: SubscribeOptions) {
  const navigate = useNavigate();
  const [confirm] = useConfirmSubscriptionMutation();
  const [subscribe] = useSubscribeMutation();
  const [complete] = useCompleteSubscriptionMutation();
  const [confirmation, setConfirmation] = useState<SubscribeConfirmation | null>(null);
  const closeConfirmation = () => setConfirmation((last) => last && { ...last, opened: false });
  const intent = useRef<Intent>(createIntent());

  const renew = useCallback(() => {
    intent.current = createIntent();
  }, []);

  const payment = useCardPayment({
    card,
    fallback: FALLBACK,
    complete: async (id) => (await complete({ variables: { id } })).data?.completeSubscription,
    onDone: () => {
      // The next sign-in would open the trial, which subscribers can't start.
      clearTrialIntent();
      notify.success("Subscription was successful.");
      void navigate(paths.myAccount.href(), { replace: true });
    },
    onDeclined: (message) => {
      renew();
      showCardError(form, "cardNumber", message);
    },
    onFailed: (error) => void fail(error),
  });

  // A payment that waits for the bank is for the plan and the price that were confirmed.
  const shownCents = (promo.quote ?? product)?.totalCents;
  const discardPayment = useEffectEvent(payment.cancel);
  useEffect(() => discardPayment(), [product?.id, shownCents]);

  /** Reloads the prices after the API rejected the one shown, and shows the API's message. */
  async function showNewPrice(message: string): Promise<void> {
    renew();
    await reload().catch(() => undefined);
    await promo.refresh();
    notify.error(message);
  }

  async function fail(error: unknown): Promise<void> {
    if (getProblems(error).length === 0) return notify.error(UNCONFIRMED);
    const code = getErrorCode(error);
    // Keep the intent, so that a retry finds anything the first request completed.
    if (code === "UNAVAILABLE" || code === "INTERNAL") return notify.failure(error, FALLBACK);
    if (code === "CONFLICT") return showNewPrice(formatError(error, FALLBACK));
    renew();
    const { planPriceId: level, promoCode, paymentMethodId } = getFieldErrors(error);
    if (paymentMethodId?.[0]) return showCardError(form, "cardNumber", paymentMethodId[0]);
    if (promoCode?.[0]) {
      // The discounted price no longer applies.
      form.setValue("promoCode", "");
      form.setError("promoCode", { type: "server", message: promoCode[0] }, { shouldFocus: true });
    }
    if (level?.[0]) form.setError("planPriceId", { type: "server", message: level[0] }, { shouldFocus: true });
    notify.failure(error, FALLBACK);
  }

  async function ensureCard(): Promise<boolean> {
    if (intent.current.paymentMethodId) return true;
    const paymentMethodId = await takeCard(form, card);
    if (paymentMethodId) intent.current.paymentMethodId = paymentMethodId;
    return paymentMethodId !== null;
  }

  /** Handles the submitted form: gets the card and fetches the confirmation text. */
  async function requestConfirmation(values: SubscribeValues): Promise<void> {
    const { planPriceId } = values;
    const promoCode = values.hasPromoCode ? (values.promoCode ?? "").trim() : null;
    try {
      // Apply a code that was typed but not applied, so the customer sees its price before paying.
      if (promoCode !== null && !promo.quote) {
        await promo.apply();
        return;
      }
      const subject = `${planPriceId} ${promoCode ?? ""}`;
      if (intent.current.subject !== subject) intent.current = createIntent(subject);
      if (!(await ensureCard())) return;
      const { data } = await confirm({ variables: { planPriceId, promoCode } });
      if (!data) return;
      const { message, totalCents } = data.confirmSubscription;
      if (totalCents !== shownCents) return await showNewPrice(PRICE_CHANGED);
      setConfirmation({ opened: true, message, planPriceId, promoCode, totalCents });
    } catch (error) {
      if (getProblems(error).length === 0) return notify.error(FALLBACK);
      await fail(error);
    }
  }

  async function pay(): Promise<void> {
    const { key, paymentMethodId } = intent.current;
    if (!confirmation || !paymentMethodId) return;
    const { planPriceId, promoCode, totalCents } = confirmation;
    const input = {
      planPriceId,
      promoCode,
      paymentMethodId,
      idempotencyKey: key,
      expectedTotalCents: totalCents,
      acknowledgedNotice: true,
    };
    notify.clearErrors();
    try {
      const { data } = await subscribe({ variables: { input } });
      closeConfirmation();
      if (data) await payment.settle(data.subscribe);
    } catch (error) {
      closeConfirmation();
      await fail(error);
    }
  }

  return {
    confirmation,
    payment,
    requestConfirmation,
    pay,
    cancel: closeConfirmation,
    /** Starts a new intent after the card was changed. */
    renew,
  };
}

/** Submits the card of a form. Returns its id, or null after showing why it was refused or couldn't be sent. */
export async function takeCard<TValues extends FieldValues>(
  form: UseFormReturn<TValues>,
  card: RefObject<CardEntry | null>,
): Promise<string | null> {
  const taken = await card.current?.submit().catch((error: unknown) => {
    if (!(error instanceof PaymentProviderUnreachable)) throw error;
    notify.error(error.message);
    return undefined;
  });
  if (taken?.kind === "refused") showCardError(form, taken.field, taken.message);
  return taken?.kind === "taken" ? taken.paymentMethodId : null;
}

/** Shows a card error at its field. */
export function showCardError<TValues extends FieldValues>(
  form: UseFormReturn<TValues>,
  field: CardFieldName,
  message: string,
): void {
  form.setError(field as Path<TValues>, { type: "server", message }, { shouldFocus: true });
  notify.error(message);
}
