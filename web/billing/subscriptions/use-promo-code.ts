import { useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { UseFormReturn } from "react-hook-form";
import { type ApplyPromoCodeMutation, useApplyPromoCodeMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { formatError, getErrorCode, getFieldErrors } from "#web/platform/server-error.ts";
import type { InferType } from "yup";
import type { subscribeFormRules } from "#schema/subscription.ts";

export type PromoQuote = ApplyPromoCodeMutation["applyPromoCode"];

interface Applied {
  code: string;
  planPriceId: string;
  quote: PromoQuote;
}

/** Manages the promo code of the subscribe form, and applies it again when another level is selected. */
export function usePromoCode(form: UseFormReturn<SubscribeValues>, values: SubscribeValues) {
  const [applyPromoCode] = useApplyPromoCodeMutation();
  const [applied, setApplied] = useState<Applied | null>(null);
  const [busy, setBusy] = useState(false);
  const latestRequest = useRef(0);
  const { planPriceId } = values;
  const typed = values.hasPromoCode ? (values.promoCode ?? "").trim() : "";
  const isCurrent = applied !== null && applied.code === typed && applied.planPriceId === planPriceId;

  async function fetchQuote(code: string, level: string): Promise<boolean> {
    latestRequest.current += 1;
    const thisRequest = latestRequest.current;
    setBusy(true);
    try {
      const { data } = await applyPromoCode({ variables: { input: { planPriceId: level, promoCode: code } } });
      if (thisRequest !== latestRequest.current || !data) return false;
      setApplied({ code, planPriceId: level, quote: data.applyPromoCode });
      form.clearErrors("promoCode");
      return true;
    } catch (error) {
      if (thisRequest !== latestRequest.current) return false;
      showRejection(form, error);
      setApplied(null);
      return false;
    } finally {
      if (thisRequest === latestRequest.current) setBusy(false);
    }
  }

  // Recalculate for another level, keeping the code.
  const recalculate = useEffectEvent(fetchQuote);
  useEffect(() => {
    if (applied && applied.planPriceId !== planPriceId && applied.code === typed && planPriceId && !busy)
      void recalculate(applied.code, planPriceId);
  }, [applied, busy, planPriceId, typed]);

  return {
    /** Price with the code for the selected level; null if none is applied. */
    quote: isCurrent ? applied.quote : null,
    busy,
    /** Applies the typed code to the selected level, and shows a message. Returns true on success. */
    apply: async () => {
      if (busy) return false;
      notify.clearErrors();
      if (typed === "") {
        form.setError("promoCode", { type: "server", message: "Please add the promo code." }, { shouldFocus: true });
        notify.error("Please add the promo code.");
        return false;
      }
      if (planPriceId === "") {
        const message = "Subscription level is required.";
        form.setError("planPriceId", { type: "required", message }, { shouldFocus: true });
        return false;
      }
      const isApplied = await fetchQuote(typed, planPriceId);
      if (isApplied) notify.success("Promo code has been successfully applied");
      return isApplied;
    },
    /** Recalculates the price with the same code, for example after prices changed. */
    refresh: async () => {
      if (isCurrent) await fetchQuote(applied.code, planPriceId);
    },
    open: () => {
      flushSync(() => form.setValue("hasPromoCode", true));
      form.setFocus("promoCode");
    },
    cancel: () => {
      latestRequest.current += 1;
      setBusy(false);
      setApplied(null);
      form.setValue("hasPromoCode", false);
      form.setValue("promoCode", "");
      form.clearErrors("promoCode");
    },
  };
}

export type PromoCode = ReturnType<typeof usePromoCode>;

/** Shows why the code was rejected, and resets the field if the code itself is invalid. */
function showRejection(form: UseFormReturn<SubscribeValues>, error: unknown): void {
  const message = formatError(error, "Unable to apply the promo code.");
  if (getErrorCode(error) === "BAD_USER_INPUT" && getFieldErrors(error).promoCode) form.setValue("promoCode", "");
  form.setError("promoCode", { type: "server", message });
  notify.error(message);
}

/** Values of the subscribe form. Card fields contain only their state, never card data. */
export type SubscribeValues = InferType<typeof subscribeFormRules>;
