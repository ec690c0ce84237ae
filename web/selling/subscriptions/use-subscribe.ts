import { type RefObject, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import {
  useCompleteSubscriptionMutation,
  useConfirmSubscriptionMutation,
  useSubscribeMutation,
} from "#web/generated/graphql.ts";
import { type CardEntry, CardsAway } from "#web/ui/card-fields/card-entry.ts";
import { notify } from "#web/platform/notifications.ts";
import { codeOf, fieldErrorsOf, messageOf, problemsOf } from "#web/platform/server-error.ts";
import { showCardRefusal } from "./paying.ts";
import type { Product } from "./products.ts";
import type { SubscribeValues } from "./subscribe-values.ts";
import { type CardPayment, useCardPayment } from "./use-card-payment.ts";
import type { PromoCode } from "./use-promo-code.ts";

const FALLBACK = "Unable to subscribe.";
const PRICE_CHANGED = "The price has changed since it was shown to you. Please look at it again before you subscribe.";
const NO_ANSWER =
  "We did not hear what became of your payment. Please press Subscribe again: you will not be charged twice.";

/** What the customer is asked to agree to. */
export interface Question {
  message: string;
  planPriceId: string;
  promoCode: string | null;
  totalCents: number;
}

/**
 * One wish to subscribe: the key by which the api knows its repetitions, and the card. It stands until its outcome is
 * known; a declined card or a change of the form make a new one.
 */
interface Intent {
  key: string;
  /** Level and promo code. */
  subject: string;
  paymentMethodId: string | null;
}

const newIntent = (subject = ""): Intent => ({ key: newKey(), subject, paymentMethodId: null });

/** Random; `crypto.randomUUID` is missing from pages served without TLS, as on a company's own network. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export interface SubscribeOptions {
  form: UseFormReturn<SubscribeValues>;
  card: RefObject<CardEntry | null>;
  product: Product | null;
  promo: PromoCode;
  /** Asks the api anew how the subscription stands and what things cost. */
  reload: () => Promise<unknown>;
}

/** Subscribing in its steps: card, the api's sentence, the customer's Yes, the payment, the bank. */
export function useSubscribe({ form, card, product, promo, reload }: SubscribeOptions) {
  const navigate = useNavigate();
  const [confirm] = useConfirmSubscriptionMutation();
  const [subscribe] = useSubscribeMutation();
  const [complete] = useCompleteSubscriptionMutation();
  const [question, setQuestion] = useState<Question | null>(null);
  const intent = useRef<Intent>(newIntent());

  const renew = () => {
    intent.current = newIntent();
  };

  const payment: CardPayment = useCardPayment({
    card,
    fallback: FALLBACK,
    complete: async (id) => (await complete({ variables: { id } })).data?.completeSubscription,
    onDone: () => {
      notify.success("Subscription was successful.");
      void navigate(paths.myAccount.href(), { replace: true });
    },
    onDeclined: (message) => {
      renew();
      showCardRefusal(form, "cardNumber", message);
    },
    onFailed: (error) => void fail(error),
  });

  /** The price box and the api disagree: the api is right. */
  async function showNewPrice(message: string): Promise<void> {
    renew();
    await reload().catch(() => undefined);
    await promo.refresh();
    notify.error(message);
  }

  async function fail(error: unknown): Promise<void> {
    if (problemsOf(error).length === 0) return notify.error(NO_ANSWER);
    const code = codeOf(error);
    // What it did by then is found by the same request sent again.
    if (code === "UNAVAILABLE" || code === "INTERNAL") return notify.failure(error, FALLBACK);
    if (code === "CONFLICT") return showNewPrice(messageOf(error, FALLBACK));
    renew();
    const { productId, planPriceId, promoCode, paymentMethodId } = fieldErrorsOf(error);
    const level = productId ?? planPriceId;
    if (paymentMethodId?.[0]) return showCardRefusal(form, "cardNumber", paymentMethodId[0]);
    if (promoCode?.[0]) form.setError("promoCode", { type: "server", message: promoCode[0] }, { shouldFocus: true });
    if (level?.[0]) form.setError("planPriceId", { type: "server", message: level[0] }, { shouldFocus: true });
    notify.error((promoCode ?? level)?.[0] ?? messageOf(error, FALLBACK));
  }

  async function takeCard(): Promise<boolean> {
    if (intent.current.paymentMethodId) return true;
    const taken = await card.current?.take();
    if (!taken) return false;
    if (taken.kind === "refused") {
      showCardRefusal(form, taken.field, taken.message);
      return false;
    }
    intent.current.paymentMethodId = taken.paymentMethodId;
    return true;
  }

  /** The form was sent: gets the card and asks for the sentence of the dialog. */
  async function ask(values: SubscribeValues): Promise<void> {
    const { planPriceId } = values;
    const promoCode = values.hasPromoCode ? (values.promoCode ?? "").trim() : null;
    try {
      // A code that was typed and not applied is meant to count; its price must be seen before it is paid.
      if (promoCode !== null && !promo.quote) {
        await promo.apply();
        return;
      }
      const subject = `${planPriceId} ${promoCode ?? ""}`;
      if (intent.current.subject !== subject) intent.current = newIntent(subject);
      if (!(await takeCard())) return;
      const { data } = await confirm({ variables: { planPriceId, promoCode } });
      if (!data) return;
      const { message, totalCents } = data.confirmSubscription;
      if (totalCents !== (promo.quote ?? product)?.totalCents) return await showNewPrice(PRICE_CHANGED);
      setQuestion({ message, planPriceId, promoCode, totalCents });
    } catch (error) {
      if (error instanceof CardsAway) return notify.error(error.message);
      if (problemsOf(error).length === 0) return notify.error(FALLBACK);
      await fail(error);
    }
  }

  /** The customer said Yes. */
  async function pay(): Promise<void> {
    const { key, paymentMethodId } = intent.current;
    if (!question || !paymentMethodId) return;
    const { planPriceId, promoCode, totalCents } = question;
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
      setQuestion(null);
      if (data) await payment.settle(data.subscribe);
    } catch (error) {
      setQuestion(null);
      await fail(error);
    }
  }

  return {
    question,
    payment,
    ask,
    pay,
    dismiss: () => setQuestion(null),
    /** The card was changed: what comes next is another intent. */
    renew,
  };
}
