import { useCallback, useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { type ApplyPromoCodeMutation, useApplyPromoCodeMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { codeOf, fieldErrorsOf, messageOf } from "#web/platform/server-error.ts";
import type { SubscribeValues } from "./subscribe-values.ts";

/** What a price comes to with a promo code. */
export type PromoQuote = ApplyPromoCodeMutation["applyPromoCode"];

interface Applied {
  code: string;
  planPriceId: string;
  quote: PromoQuote;
}

export interface PromoCode {
  /** The price with the code, for the level that is chosen now; null while none is applied. */
  quote: PromoQuote | null;
  busy: boolean;
  /** Applies the typed code to the chosen level; true when it counts. The person has been told either way. */
  apply: () => Promise<boolean>;
  /** Prices the same code again, as after a change of the prices. */
  refresh: () => Promise<void>;
  /** Shows the field. */
  open: () => void;
  /** Hides the field and forgets the code. */
  cancel: () => void;
}

/** The promo code of the subscribe form: applied to a level, and again to another one. */
export function usePromoCode(form: UseFormReturn<SubscribeValues>, values: SubscribeValues): PromoCode {
  const [askForPrice] = useApplyPromoCodeMutation();
  const [applied, setApplied] = useState<Applied | null>(null);
  const [busy, setBusy] = useState(false);
  const asked = useRef(0);
  const { planPriceId } = values;
  const typed = values.hasPromoCode ? (values.promoCode ?? "").trim() : "";
  const counts = applied !== null && applied.code === typed && applied.planPriceId === planPriceId;

  const price = useCallback(
    async (code: string, level: string): Promise<boolean> => {
      asked.current += 1;
      const mine = asked.current;
      setBusy(true);
      try {
        const { data } = await askForPrice({ variables: { input: { planPriceId: level, promoCode: code } } });
        if (mine !== asked.current || !data) return false;
        setApplied({ code, planPriceId: level, quote: data.applyPromoCode });
        form.clearErrors("promoCode");
        return true;
      } catch (error) {
        if (mine !== asked.current) return false;
        refuse(form, error);
        setApplied(null);
        return false;
      } finally {
        if (mine === asked.current) setBusy(false);
      }
    },
    [askForPrice, form],
  );

  // Another level has another price; the code stays.
  useEffect(() => {
    if (applied && applied.planPriceId !== planPriceId && applied.code === typed && planPriceId && !busy)
      void price(applied.code, planPriceId);
  }, [applied, busy, planPriceId, price, typed]);

  return {
    quote: counts ? applied.quote : null,
    busy,
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
      const isApplied = await price(typed, planPriceId);
      if (isApplied) notify.success("Promo code has been successfully applied");
      return isApplied;
    },
    refresh: async () => {
      if (counts) await price(applied.code, planPriceId);
    },
    open: () => form.setValue("hasPromoCode", true),
    cancel: () => {
      asked.current += 1;
      setBusy(false);
      setApplied(null);
      form.setValue("hasPromoCode", false);
      form.setValue("promoCode", "");
      form.clearErrors("promoCode");
    },
  };
}

/** Says why; the field resets when the code itself was refused. */
function refuse(form: UseFormReturn<SubscribeValues>, error: unknown): void {
  const fallback = "Unable to apply the promo code.";
  const { promoCode, planPriceId, productId } = fieldErrorsOf(error);
  const message = (promoCode ?? planPriceId ?? productId)?.[0] ?? messageOf(error, fallback);
  if (codeOf(error) === "BAD_USER_INPUT" && promoCode) form.setValue("promoCode", "");
  form.setError("promoCode", { type: "server", message });
  notify.error(message);
}
