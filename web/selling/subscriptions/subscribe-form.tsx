import { useRef } from "react";
import { type Control, useWatch } from "react-hook-form";
import { paths } from "#web/platform/paths.ts";
import type { CardEntryQuery } from "#web/generated/graphql.ts";
import { blankCard, type CardEntry, toCardControl } from "#web/selling/card-fields/card-entry.ts";
import { CardFields } from "#web/selling/card-fields/card-fields.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { CheckboxField, SelectField, TextField } from "#web/ui/form/fields.tsx";
import { FieldGroup, FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { formatAud } from "#schema/money.ts";
import { Button, LinkButton } from "#web/ui/button.tsx";
import { useLastValue } from "#web/ui/use-last-value.ts";
import { PendingAuthentication } from "./subscription-notices.tsx";
import { PriceBox } from "./price-box.tsx";
import { buildLevelOptions, type Product } from "./products.ts";
import classes from "./subscribe-form.module.css";
import { type PromoCode, type SubscribeValues, usePromoCode } from "./use-promo-code.ts";
import { useSubscribe } from "./use-subscribe.ts";

const loadRules = () => import("#schema/rules/subscription.ts").then((file) => file.subscribeFormRules);

export interface SubscribeFormProps {
  products: readonly Product[];
  /** The level selected at first, from the route. */
  chosen: Product | null;
  cardEntry: CardEntryQuery["cardEntry"];
  reload: () => Promise<unknown>;
}

/** Subscribe form: level, promo code, card and notice, next to the price summary. */
export default function SubscribeForm({ products, chosen, cardEntry, reload }: SubscribeFormProps) {
  const card = useRef<CardEntry>(null);
  const form = useAppForm(loadRules, {
    defaultValues: {
      planPriceId: chosen?.id ?? "",
      hasPromoCode: false,
      promoCode: "",
      ...blankCard,
      acknowledgedNotice: false,
    },
  });
  const { control } = form;
  const values = useWatch({ control, compute: (all: SubscribeValues) => all });
  const product = products.find(({ id }) => id === values.planPriceId) ?? null;
  const promo = usePromoCode(form, values);
  const { confirmation, payment, requestConfirmation, pay, cancel, renew } = useSubscribe({
    form,
    card,
    product,
    promo,
    reload,
  });
  const lastConfirmation = useLastValue(confirmation);

  return (
    <>
      <AppForm form={form} onSubmit={requestConfirmation} fallback="Unable to subscribe." label="Subscribe">
        <div className={classes.columns}>
          <div className={classes.choice}>
            <SelectField
              control={control}
              name="planPriceId"
              label="Subscription Level"
              placeholder="Choose a subscription level"
              options={buildLevelOptions(products)}
            />
            <PromoCodeField control={control} isOpen={values.hasPromoCode} promo={promo} />
          </div>
          <div className={classes.price}>
            <PriceBox product={product} promo={promo.quote} busy={promo.busy} />
          </div>
          <div className={classes.rest}>
            <FieldGroup title="Card">
              <CardFields
                ref={card}
                source={cardEntry}
                control={toCardControl(control)}
                onEdit={() => {
                  renew();
                  payment.cancel();
                }}
              />
            </FieldGroup>
            <Notice />
            <CheckboxField control={control} name="acknowledgedNotice" label="I acknowledge this notice" />
            <PendingAuthentication
              payment={payment}
              onAnotherCard={() => {
                renew();
                payment.cancel();
                form.setFocus("cardNumber");
              }}
            />
            <FormActions>
              {(!payment.waiting || payment.busy) && <SubmitButton>Subscribe</SubmitButton>}
              <LinkButton variant="default" to={paths.myAccount.href()}>
                Cancel
              </LinkButton>
            </FormActions>
          </div>
        </div>
      </AppForm>
      <ConfirmDialog opened={confirmation !== null} title="Subscribe" onConfirm={pay} onCancel={cancel}>
        {lastConfirmation && (
          <>
            <p className={classes.amount}>{formatAud(lastConfirmation.totalCents)}</p>
            <p>{lastConfirmation.message}</p>
          </>
        )}
      </ConfirmDialog>
    </>
  );
}

/** Explains the terms of use of a single-user licence. */
function Notice() {
  return (
    <section className={classes.notice} aria-label="Notice">
      <h3>Single User Licencing</h3>
      <p>
        This subscription is for one user, on one machine. It is not for organisations, and it may not be used to
        provide conversion services to others. For corporate, project or commercial licences, please contact us.
      </p>
    </section>
  );
}

/** Link that opens the promo code field with Apply and Cancel. */
function PromoCodeField(props: { control: Control<SubscribeValues>; isOpen: boolean; promo: PromoCode }) {
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
