import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import type { InferType } from "yup";
import type { changeSubscriptionFormRules } from "#schema/rules/subscription.ts";
import { paths } from "#web/platform/paths.ts";
import {
  useChangeSubscriptionMutation,
  useConfirmSubscriptionChangeMutation,
  useSubscriptionStatusQuery,
} from "#web/generated/graphql.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { SelectField } from "#web/ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { LoadingBlock } from "#web/public-ui/loading-block.tsx";
import { ErrorState } from "#web/public-ui/message-state.tsx";
import { brand } from "#schema/brand.ts";
import { formatDate } from "#schema/dates.ts";
import { notify } from "#web/platform/notifications.ts";
import { Callout } from "#web/ui/callout.tsx";
import { getFieldErrors, formatError, getProblems } from "#web/platform/server-error.ts";
import { useLastValue } from "#web/platform/use-last-value.ts";
import { NoSubscription } from "./subscription-notices.tsx";
import { ChargedAmount, CurrentChoice } from "./plan-facts.tsx";
import { formatLevel, buildLevelOptions, type Product } from "./products.ts";
import type { ActiveSubscription } from "./subscription-overview.tsx";

const loadRules = () => import("#schema/rules/subscription.ts").then((file) => file.changeSubscriptionFormRules);

const FALLBACK = "Unable to change the subscription.";
const UNCONFIRMED =
  "We couldn't confirm whether your subscription was changed. Please try again. You will not be charged twice.";

/** Lets the customer change the subscription level. */
export function ChangeSubscription() {
  const { data, error, refetch } = useSubscriptionStatusQuery({ fetchPolicy: "network-only" });
  const found = data?.subscriptionStatus;
  if (found?.subscription)
    return <SubscriptionChange subscription={found.subscription} message={found.message} products={found.products} />;
  if (found) return <NoSubscription message={found.message} />;
  if (!error) return <LoadingBlock label="Fetching your subscription" />;
  return (
    <ErrorState
      message={formatError(error, "Unable to fetch your subscription status.")}
      onRetry={() => void refetch().catch(() => undefined)}
    />
  );
}

interface SubscriptionChangeProps {
  subscription: ActiveSubscription;
  message: string;
  products: readonly Product[];
}

/** Shows the form, or, if the subscription is overdue or cancelled, what to do first. */
function SubscriptionChange({ subscription, message, products }: SubscriptionChangeProps) {
  const { isPastDue, isCancelledAtPeriodEnd } = subscription;
  if (!isPastDue && !isCancelledAtPeriodEnd)
    return <ChangeForm subscription={subscription} message={message} products={products} />;
  return (
    <Stack gap="lg">
      <Callout tone={isPastDue ? "critical" : "notice"}>
        <p>{message}</p>
      </Callout>
      <FormActions>
        {isPastDue ? (
          <Button component={Link} to={paths.managePaymentDetails.href()}>
            Change Payment Details
          </Button>
        ) : (
          <Button component={Link} to={paths.manageSubscription.href()}>
            Manage Subscription
          </Button>
        )}
      </FormActions>
    </Stack>
  );
}

interface Confirmation {
  message: string;
  totalCents: number;
  planPriceId: string;
}

function ChangeForm({ subscription, products }: SubscriptionChangeProps) {
  const navigate = useNavigate();
  const [confirm] = useConfirmSubscriptionChangeMutation();
  const [change] = useChangeSubscriptionMutation();
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const [decline, setDecline] = useState<string | null>(null);
  const shown = useLastValue(confirmation);
  const form = useAppForm(loadRules, { defaultValues: { planPriceId: "" } });
  const { planPrice, nextPlanPrice, currentPeriodEndsAt } = subscription;
  const current = nextPlanPrice ?? planPrice;

  function fail(error: unknown, unconfirmed: string) {
    const { productId, planPriceId } = getFieldErrors(error);
    const level = (productId ?? planPriceId)?.[0];
    if (level) form.setError("planPriceId", { type: "server", message: level }, { shouldFocus: true });
    notify.error(level ?? (getProblems(error).length === 0 ? unconfirmed : formatError(error, FALLBACK)));
  }

  async function requestConfirmation({ planPriceId }: InferType<typeof changeSubscriptionFormRules>) {
    setDecline(null);
    try {
      const { data } = await confirm({ variables: { planPriceId } });
      if (data) setConfirmation({ ...data.confirmSubscriptionChange, planPriceId });
    } catch (error) {
      fail(error, FALLBACK);
    }
  }

  async function changePlan() {
    if (!confirmation) return;
    notify.clearErrors();
    try {
      const { data } = await change({ variables: { planPriceId: confirmation.planPriceId } });
      setConfirmation(null);
      if (!data) return;
      const { state, message } = data.changeSubscription;
      if (state !== "DONE") {
        setDecline(message ?? FALLBACK);
        return notify.error(message ?? FALLBACK);
      }
      notify.success("You have successfully changed subscription.");
      void navigate(paths.manageSubscription.href(), { replace: true });
    } catch (error) {
      setConfirmation(null);
      fail(error, UNCONFIRMED);
    }
  }

  return (
    <Stack gap="lg">
      <CurrentChoice name="Current plan">
        <Text component="strong" fw={600}>
          {formatLevel(planPrice)}
        </Text>
        {nextPlanPrice && (
          <Text span size="sm" c="dimmed">
            will change to {formatLevel(nextPlanPrice)} on {formatDate(currentPeriodEndsAt, brand.timeZone)}
          </Text>
        )}
      </CurrentChoice>
      <AppForm form={form} onSubmit={requestConfirmation} fallback={FALLBACK} label="Change Subscription">
        <SelectField
          control={form.control}
          name="planPriceId"
          label="Subscription Level"
          placeholder="Choose a subscription level"
          options={buildLevelOptions(products.filter(({ id }) => id !== current.id))}
        />
        <Text size="sm" c="dimmed">
          If you move to a higher level, or from monthly to yearly, the change starts now and you pay the difference for
          the rest of the period. A lower level starts with your next payment. You will see the exact amount before you
          are charged.
        </Text>
        {decline && (
          <Callout tone="critical">
            <p>{decline} Your subscription has not been changed.</p>
            <Group gap="xs">
              <Button component={Link} variant="default" to={paths.managePaymentDetails.href()}>
                Change Payment Details
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
      </AppForm>
      <ConfirmDialog
        opened={confirmation !== null}
        title="Update Subscription"
        onConfirm={changePlan}
        onCancel={() => setConfirmation(null)}
      >
        {shown && (
          <>
            {shown.totalCents > 0 && <ChargedAmount cents={shown.totalCents} />}
            <p>{shown.message}</p>
          </>
        )}
      </ConfirmDialog>
    </Stack>
  );
}
