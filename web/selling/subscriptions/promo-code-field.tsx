import type { Control } from "react-hook-form";
import { TextField } from "#web/ui/form/fields.tsx";
import classes from "./subscribe-form.module.css";
import type { SubscribeValues } from "./subscribe-values.ts";
import type { PromoCode } from "./use-promo-code.ts";
import { Button } from "#web/ui/button.tsx";

/** 'I have a promo code', and behind it the field with Apply and Cancel. */
export function PromoCodeField(props: { control: Control<SubscribeValues>; isOpen: boolean; promo: PromoCode }) {
  const { control, isOpen, promo } = props;
  if (!isOpen)
    return (
      <button type="button" className={classes.promoLink} onClick={promo.open}>
        I have a promo code
      </button>
    );
  return (
    <div className={classes.promo}>
      <TextField
        control={control}
        name="promoCode"
        label="Promo Code"
        autoComplete="off"
        maxLength={50}
        onEnter={() => void promo.apply()}
      />
      <div className={classes.promoActions}>
        <Button variant={promo.quote ? "light" : "default"} loading={promo.busy} onClick={() => void promo.apply()}>
          Apply
        </Button>
        <Button variant="subtle" onClick={promo.cancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
