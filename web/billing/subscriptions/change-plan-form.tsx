import { Box, Button, Divider, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useState, useEffect, useRef } from "react";
import { useWatch } from "react-hook-form";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import type { InferType } from "yup";
import { formatSellerDate } from "#schema/dates.ts";
import { Moment } from "#web/ui/moment.tsx";
import { formatAud } from "#schema/money.ts";
import type { changeSubscriptionFormRules } from "#schema/subscription.ts";
import {
  useChangeSubscriptionMutation,
  type ConfirmSubscriptionChangeMutation,
  useConfirmSubscriptionChangeMutation,
} from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { paths } from "#web/platform/paths.ts";
import { formatError, getFieldErrors, getProblems } from "#web/platform/server-error.ts";
import { Callout } from "#web/ui/callout.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { LevelField, type LevelNote } from "./level-field.tsx";
import { ChargedAmount } from "./payment-texts.tsx";
import { findChangeTiming, findSuggestedProduct, formatLevel, periodNames, type Product } from "./products.ts";
import classes from "./subscribe-form.module.css";
import type { ActiveSubscription } from "./subscription-overview.tsx";

const loadRules = () => import("#schema/subscription.ts").then((file) => file.changeSubscriptionFormRules);

const FALLBACK = "Unable to change the subscription.";
const UNCONFIRMED =
  "We couldn't confirm whether your subscription was changed. Please try again. You will not be charged twice.";

interface ChangePlanFormProps {
  subscription: ActiveSubscription;
  products: readonly Product[];
}

/** Form that changes the plan: the plans as cards, and a summary of what the change costs and when it happens. */
export function ChangePlanForm({ subscription, products }: ChangePlanFormProps) {
  const navigate = useNavigate();
  const [change] = useChangeSubscriptionMutation();
  const [confirmation, setConfirmation] = useState<ChangePreview | null>(null);
  const [decline, setDecline] = useState<string | null>(null);
  const [isConfirming, setConfirming] = useState(false);
  const [search] = useSearchParams();
  const level = search.get("level");
  const wanted = level === null ? findSuggestedProduct(products) : products.find(({ id }) => id === level);
  const isOpen = wanted && wanted.id !== subscription.planPrice.id && wanted.id !== subscription.nextPlanPrice?.id;
  const form = useAppForm(loadRules, { defaultValues: { planPriceId: isOpen ? wanted.id : "" } });
  const planPriceId = useWatch({ control: form.control, name: "planPriceId" });
  const { preview, hasFailed, getPreview, reset } = useChangePreview(planPriceId);
  const { planPrice, nextPlanPrice } = subscription;
  const periodEnd = formatSellerDate(subscription.currentPeriodEndsAt);

  function describe(product: Product): LevelNote {
    const { id } = product;
    if (nextPlanPrice?.id === id) return { badge: `Starts ${periodEnd}`, isDisabled: true };
    if (planPrice.id === id) return { badge: "Current plan", isDisabled: !nextPlanPrice };
    return {
      text: findChangeTiming(subscription, products, product) === "now" ? "Starts today" : `Starts ${periodEnd}`,
    };
  }

  function fail(error: unknown, unconfirmed: string) {
    const message = getFieldErrors(error).planPriceId?.[0];
    if (message) form.setError("planPriceId", { type: "server", message }, { shouldFocus: true });
    notify.error(message ?? (getProblems(error).length === 0 ? unconfirmed : formatError(error, FALLBACK)));
  }

  async function requestConfirmation(values: InferType<typeof changeSubscriptionFormRules>) {
    setDecline(null);
    try {
      setConfirmation(await getPreview(values.planPriceId));
      setConfirming(true);
    } catch (error) {
      fail(error, FALLBACK);
    }
  }

  async function changePlan() {
    if (!confirmation) return;
    notify.clearErrors();
    reset();
    try {
      const { data } = await change({ variables: { planPriceId: confirmation.planPriceId } });
      setConfirming(false);
      if (!data) return;
      const { state, message } = data.changeSubscription;
      if (state !== "DONE") {
        setDecline(message ?? FALLBACK);
        return notify.error(message ?? FALLBACK);
      }
      notify.success("You have successfully changed subscription.");
      void navigate(paths.manageSubscription.href(), { replace: true });
    } catch (error) {
      setConfirming(false);
      fail(error, UNCONFIRMED);
    }
  }

  return (
    <>
      <AppForm form={form} onSubmit={requestConfirmation} fallback={FALLBACK} label="Change Subscription">
        <div className={classes.columns}>
          <LevelField
            control={form.control}
            name="planPriceId"
            products={products}
            interval={planPrice.interval}
            describe={describe}
          />
          <div className={classes.price}>
            <Summary
              subscription={subscription}
              products={products}
              product={products.find(({ id }) => id === planPriceId) ?? null}
              preview={preview}
              hasFailed={hasFailed}
            />
          </div>
          <Stack gap="lg">
            {decline && (
              <Callout tone="critical">
                <p>{decline} Your subscription has not been changed.</p>
                <Group gap="xs">
                  <Button component={Link} variant="default" to={paths.managePaymentDetails.href()}>
                    Update Card
                  </Button>
                </Group>
              </Callout>
            )}
            <FormActions>
              <SubmitButton>Submit</SubmitButton>
              <Button component={Link} variant="default" to={paths.manageSubscription.href()}>
                Cancel
              </Button>
            </FormActions>
          </Stack>
        </div>
      </AppForm>
      <ConfirmDialog
        opened={isConfirming}
        title="Update Subscription"
        confirmLabel="Yes"
        onConfirm={changePlan}
        onCancel={() => setConfirming(false)}
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

interface SummaryProps {
  subscription: ActiveSubscription;
  products: readonly Product[];
  product: Product | null;
  preview: ChangePreview | null;
  /** True if the preview could not be fetched. It is fetched again when the customer submits the form. */
  hasFailed: boolean;
}

/** Shows the current plan and its price, and when the chosen plan starts and what is due today. */
function Summary({ subscription, products, product, preview, hasFailed }: SummaryProps) {
  const { planPrice, nextPlanPrice } = subscription;
  const periodEnd = <Moment at={subscription.currentPeriodEndsAt} as={formatSellerDate} />;
  const current = products.find(({ id }) => id === planPrice.id);
  const renewal = current
    ? `You pay ${formatAud(current.totalCents)} every ${periodNames[planPrice.interval]}${current.gstCents > 0 ? ", including GST" : ""}.`
    : "";
  const isKept = product?.id === planPrice.id;
  const isNow = product !== null && findChangeTiming(subscription, products, product) === "now";
  return (
    <Paper component="section" withBorder radius="lg" shadow="sm" p="lg" aria-label="Summary">
      <Title order={2} fz="sm" fw={560} c="dimmed">
        Current plan
      </Title>
      <Text fw={600}>{formatLevel(planPrice)}</Text>
      <Text size="sm" c="dimmed">
        {nextPlanPrice ? `Will change to ${formatLevel(nextPlanPrice)} on ` : "Paid until "}
        {periodEnd}
      </Text>
      <Divider my="md" />
      <Box aria-live="polite">
        {product ? (
          <>
            <Text size="sm" fw={560} c="dimmed">
              New plan
            </Text>
            <Text fz="1.1875rem" fw={640}>
              {formatLevel(product.planPrice)}
            </Text>
            <Text size="sm" c="dimmed">
              {isKept ? (
                "You keep this plan, and the planned change is cancelled."
              ) : isNow ? (
                "Starts today. You pay the difference for the rest of the period."
              ) : (
                <>Starts on {periodEnd} with your next payment. Until then you keep your current plan.</>
              )}
            </Text>
            <Group justify="space-between" align="flex-end" mt="md">
              <Text fw={600}>Due today</Text>
              {preview && (
                <Text component="strong" fz="1.625rem" fw={640} lh={1.2}>
                  {formatAud(preview.totalCents)}
                </Text>
              )}
              {!preview && hasFailed && <Text>Shown before you confirm</Text>}
              {!preview && !hasFailed && (
                <Skeleton role="img" width="6rem" height="2rem" aria-label="Calculating the amount" />
              )}
            </Group>
            <Text size="sm" c="dimmed" mt="md">
              Then {formatAud(product.totalCents)} every {periodNames[product.planPrice.interval]}
              {product.gstCents > 0 ? ", including GST" : ""}. Your licence code and your devices stay the same.
            </Text>
          </>
        ) : (
          <Text size="sm" c="dimmed">
            {renewal} Choose another plan to see when it starts and what you pay.
          </Text>
        )}
      </Box>
    </Paper>
  );
}

/** Text and amount of a plan change, as calculated by the payment provider. */
type ChangePreview = ConfirmSubscriptionChangeMutation["confirmSubscriptionChange"] & { planPriceId: string };

/** Time a choice must stay unchanged before its price is fetched, in milliseconds. */
const PAUSE_MS = 300;

/** Time after which a price is fetched again, in milliseconds. The API keeps a quoted price for an hour. */
const VALID_MS = 30 * 60_000;

/**
 * Fetches the amount due for the chosen plan price in the background.
 * @returns the preview of the chosen price, which is null until it is loaded, and a function that fetches a current preview
 */
function useChangePreview(planPriceId: string) {
  const [confirm] = useConfirmSubscriptionChangeMutation();
  const [known, setKnown] = useState<ChangePreview | null>(null);
  const [failedId, setFailedId] = useState<string | null>(null);
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
      setFailedId(id);
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
    hasFailed: failedId === planPriceId,
    getPreview,
    /** Discards the preview, because the subscription or the price may have changed. */
    reset: () => {
      request.current = null;
    },
  };
}
