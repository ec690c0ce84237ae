import {
  Anchor,
  Box,
  Button,
  Divider,
  Fieldset,
  Flex,
  Group,
  Paper,
  type PaperProps,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from "@mantine/core";
import { useCallback, useMemo, useRef } from "react";
import { flushSync } from "react-dom";
import { type Control, useWatch } from "react-hook-form";
import { Link } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import type { CardEntryQuery } from "#web/generated/graphql.ts";
import { blankCard, type CardEntry, toCardControl } from "#web/billing/card-fields/card-entry.ts";
import { CardFields } from "#web/billing/card-fields/card-fields.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { CheckboxField, TextField } from "#web/ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { PendingAuthentication } from "./subscription-notices.tsx";
import { ChargedAmount } from "./payment-texts.tsx";
import { LevelField } from "./level-field.tsx";
import { findSuggestedProduct, type Product, formatLevel, periodNames } from "./products.ts";
import classes from "./subscribe-form.module.css";
import { type PromoCode, type SubscribeValues, usePromoCode, type PromoQuote } from "./use-promo-code.ts";
import { useSubscribe } from "./use-subscribe.ts";
import { formatAud, isBelowCardMinimum } from "#schema/money.ts";

const loadRules = () => import("#schema/subscription.ts").then((file) => file.subscribeFormRules);

const panel = { withBorder: true, radius: "lg", shadow: "sm", p: { base: "md", sm: "lg" } } satisfies PaperProps;

interface SubscribeFormProps {
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
      planPriceId: (chosen ?? findSuggestedProduct(products))?.id ?? "",
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

  const discardPayment = payment.cancel;
  /** Discards a payment that waits for the bank, because the customer uses another card. */
  const startNewPayment = useCallback(() => {
    renew();
    discardPayment();
  }, [renew, discardPayment]);
  // A switch between plans doesn't draw the card again.
  const cardFields = useMemo(
    () => <CardFields ref={card} source={cardEntry} control={toCardControl(control)} onEdit={startNewPayment} />,
    [cardEntry, control, startNewPayment],
  );

  return (
    <>
      <AppForm form={form} onSubmit={requestConfirmation} fallback="Unable to subscribe." label="Subscribe">
        <div className={classes.columns}>
          <Paper {...panel}>
            <Stack gap="1.25rem">
              <LevelField control={control} name="planPriceId" products={products} />
              <PromoCodeField control={control} isOpen={values.hasPromoCode} promo={promo} />
            </Stack>
          </Paper>
          <div className={classes.price}>
            <PriceBox product={product} promo={promo.quote} busy={promo.busy} />
          </div>
          <Paper {...panel}>
            <Stack gap="1.25rem">
              <Fieldset
                legend={
                  <Text span display="block" fz="1.0625rem" fw={640} mb="xs">
                    Card
                  </Text>
                }
              >
                {cardFields}
              </Fieldset>
              {notice}
              <CheckboxField control={control} name="acknowledgedNotice" label="I acknowledge this notice" />
              <PendingAuthentication
                payment={payment}
                onAnotherCard={() => {
                  renew();
                  form.setFocus("cardNumber");
                }}
              />
              <FormActions>
                {(!payment.waiting || payment.busy) && <SubmitButton>Subscribe</SubmitButton>}
                <Button component={Link} variant="default" to={paths.myAccount.href()}>
                  Cancel
                </Button>
              </FormActions>
            </Stack>
          </Paper>
        </div>
      </AppForm>
      <ConfirmDialog
        opened={confirmation?.opened ?? false}
        title="Subscribe"
        confirmLabel="Yes"
        onConfirm={pay}
        onCancel={cancel}
      >
        {confirmation && (
          <>
            <ChargedAmount cents={confirmation.totalCents} />
            <p>{confirmation.message}</p>
          </>
        )}
      </ConfirmDialog>
    </>
  );
}

const notice = (
  <section aria-label="Notice">
    <Divider mb="lg" />
    <Title order={3} fz="1.0625rem">
      Single User Licencing
    </Title>
    <Text size="sm" c="dimmed" mt={4}>
      This subscription is for one user, on one machine. It is not for organisations, and it may not be used to provide
      conversion services to others. For corporate, project or commercial licences, please contact us.
    </Text>
  </section>
);

/** Link that opens the promo code field with Apply and Cancel. */
function PromoCodeField(props: { control: Control<SubscribeValues>; isOpen: boolean; promo: PromoCode }) {
  const { control, isOpen, promo } = props;
  const link = useRef<HTMLButtonElement>(null);
  if (!isOpen)
    return (
      <Anchor
        ref={link}
        component="button"
        type="button"
        size="sm"
        fw={560}
        underline="always"
        mr="auto"
        onClick={promo.open}
      >
        I have a promo code
      </Anchor>
    );

  function cancel() {
    flushSync(promo.cancel);
    link.current?.focus();
  }

  return (
    <Flex direction={{ base: "column", sm: "row" }} gap="xs">
      <Box flex={1}>
        <TextField
          control={control}
          name="promoCode"
          label="Promo Code"
          autoComplete="off"
          maxLength={50}
          onEnter={() => void promo.apply()}
        />
      </Box>
      {/* Aligned with the input below the label, even if an error is shown under it. */}
      <Group gap="xs" align="flex-start" mt={{ sm: "1.875rem" }}>
        <Button variant={promo.quote ? "light" : "default"} loading={promo.busy} onClick={() => void promo.apply()}>
          Apply
        </Button>
        <Button variant="subtle" onClick={cancel}>
          Cancel
        </Button>
      </Group>
    </Flex>
  );
}

/** Shows the exact amount that the card will be charged, as calculated by the server. */
function PriceBox({ product, promo, busy }: { product: Product | null; promo: PromoQuote | null; busy: boolean }) {
  return (
    <Paper
      component="section"
      withBorder
      radius="lg"
      shadow="sm"
      p="lg"
      aria-label="Price"
      aria-busy={busy || undefined}
    >
      <Title order={2} fz="sm" fw={560} c="dimmed">
        Summary
      </Title>
      <Box aria-live="polite" opacity={busy ? 0.55 : undefined}>
        {product ? (
          <PriceLines product={product} promo={promo} />
        ) : (
          <Text c="dimmed" mt="xs">
            Choose a subscription level to see its price in AUD.
          </Text>
        )}
      </Box>
    </Paper>
  );
}

function PriceLines({ product, promo }: { product: Product; promo: PromoQuote | null }) {
  const { amountCents, gstCents, totalCents } = promo ?? product;
  // A code can leave nothing on which this payment has GST, unlike the next ones.
  const withGst = product.gstCents > 0;
  return (
    <>
      <Text fz="1.1875rem" fw={640} mt={4}>
        {formatLevel(product.planPrice)}
      </Text>
      <Stack component="dl" gap="xs" my="md">
        <Line name="Price" cents={amountCents} />
        {promo && <Line name="Discount" cents={-promo.discountCents} color="var(--xp-brand)" />}
        {withGst && <Line name="GST" cents={gstCents} />}
      </Stack>
      <Divider />
      <Group justify="space-between" align="flex-end" gap="xs" mt="md">
        <Text component="div" fw={600}>
          {isBelowCardMinimum(totalCents) ? "Added to your next payment" : "Total today"}
          <Text size="xs" c="dimmed">
            {withGst ? "AUD, including GST" : "AUD"}
          </Text>
        </Text>
        <Stack gap={0} align="flex-end" ml="auto">
          {promo && (
            // Mantine removes the line of the element.
            <Text component="s" size="sm" c="dimmed" td="line-through">
              <VisuallyHidden>Original price </VisuallyHidden>
              {formatAud(promo.fullTotalCents)}
            </Text>
          )}
          <Text component="strong" fz="1.625rem" fw={640} lh={1.2}>
            {promo && <VisuallyHidden>Discounted price </VisuallyHidden>}
            {formatAud(totalCents)}
          </Text>
        </Stack>
      </Group>
      <Text size="sm" c="dimmed" mt="md">
        Then {formatAud(promo?.fullTotalCents ?? totalCents)} every {periodNames[product.planPrice.interval]}
        {withGst ? ", including GST," : ""} until you cancel.
      </Text>
    </>
  );
}

function Line({ name, cents, color }: { name: string; cents: number; color?: string }) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text component="dt" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} c={color}>
        {formatAud(cents)}
      </Text>
    </Group>
  );
}
