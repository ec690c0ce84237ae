import { Button, Stack, Text } from "@mantine/core";
import { useRef } from "react";
import { Link, useNavigate } from "react-router-dom";
import { paymentDetailsChanged } from "#schema/subscription.ts";
import { paths } from "#web/platform/paths.ts";
import {
  useCardEntryQuery,
  useSubscriptionStatusQuery,
  useUpdatePaymentDetailsMutation,
} from "#web/generated/graphql.ts";
import { blankCard, type CardEntry, toCardControl, type CardSource } from "#web/billing/card-fields/card-entry.ts";
import { CardPaymentsOff, CardFields } from "#web/billing/card-fields/card-fields.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import { Callout } from "#web/ui/callout.tsx";
import { getFieldErrors, getProblems } from "#web/platform/server-error.ts";
import { Loaded } from "#web/ui/loaded.tsx";
import { PendingAuthentication, NoSubscription } from "./subscription-notices.tsx";
import { CurrentCard, CurrentChoice } from "./payment-texts.tsx";
import { showCardError, takeCard } from "./use-subscribe.ts";
import type { ActiveSubscription } from "./subscription-overview.tsx";
import { useCardPayment } from "./use-card-payment.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

const loadRules = () => import("#schema/subscription.ts").then((file) => file.paymentDetailsFormRules);

const FALLBACK = "Unable to change the payment details.";
const UNCONFIRMED =
  "We couldn't confirm whether your card was changed. Please submit again. You will not be charged twice.";

function PaymentDetails() {
  const status = useSubscriptionStatusQuery({ fetchPolicy: "network-only" });
  const card = useCardEntryQuery();
  const found = status.data?.subscriptionStatus;
  const cardEntry = card.data?.cardEntry;
  if (found && !found.subscription) return <NoSubscription message={found.message} />;
  if (found?.subscription && cardEntry?.kind === "OFF") return <CardPaymentsOff />;
  if (found?.subscription && cardEntry)
    return (
      <PaymentDetailsForm
        subscription={found.subscription}
        message={found.message}
        cardEntry={cardEntry}
        refetch={() => void status.refetch().catch(() => undefined)}
      />
    );
  return (
    <Loaded
      query={{ error: status.error ?? card.error, refetch: () => Promise.all([status.refetch(), card.refetch()]) }}
      failure="Unable to fetch your subscription status."
      loading="Fetching your payment details"
    />
  );
}

interface PaymentDetailsFormProps {
  subscription: ActiveSubscription;
  message: string;
  cardEntry: CardSource;
  refetch: () => void;
}

function PaymentDetailsForm({ subscription, message, cardEntry, refetch }: PaymentDetailsFormProps) {
  const navigate = useNavigate();
  const card = useRef<CardEntry>(null);
  const [update] = useUpdatePaymentDetailsMutation();
  const form = useAppForm(loadRules, { defaultValues: blankCard });

  const fail = (error: unknown) => {
    const declineReason = getFieldErrors(error).paymentMethodId?.[0];
    if (getProblems(error).length === 0) notify.error(UNCONFIRMED);
    else if (declineReason) showCardError(form, "cardNumber", declineReason);
    else notify.failure(error, FALLBACK);
  };

  const payment = useCardPayment({
    card,
    fallback: FALLBACK,
    complete: async (preparationId) => (await update({ variables: { preparationId } })).data?.updatePaymentDetails,
    onDone: () => {
      notify.success(paymentDetailsChanged);
      void navigate(paths.manageSubscription.href(), { replace: true });
    },
    onDeclined: (message) => {
      showCardError(form, "cardNumber", message);
      // The card is replaced even if it couldn't pay the overdue amount.
      refetch();
    },
    onFailed: fail,
  });

  async function save() {
    payment.cancel();
    try {
      const paymentMethodId = await takeCard(form, card);
      if (!paymentMethodId) return;
      const { data } = await update({ variables: { paymentMethodId } });
      if (data) await payment.settle(data.updatePaymentDetails);
    } catch (error) {
      fail(error);
    }
  }

  return (
    <Stack gap="lg">
      {subscription.isPastDue && (
        <Callout tone="critical">
          <p>{message}</p>
        </Callout>
      )}
      <CurrentChoice name="Current card">
        <CurrentCard subscription={subscription} />
      </CurrentChoice>
      <AppForm form={form} onSubmit={save} fallback={FALLBACK} label="Payment details">
        <CardFields ref={card} source={cardEntry} control={toCardControl(form.control)} onEdit={payment.cancel} />
        <Text size="sm" c="dimmed">
          {subscription.isPastDue
            ? "We will charge the overdue payment to this card immediately, and use it for later payments."
            : "Nothing is charged now. We will use this card from your next payment."}
        </Text>
        <PendingAuthentication
          payment={payment}
          subject={subscription.isPastDue ? "payment" : "card"}
          onAnotherCard={() => form.setFocus("cardNumber")}
        />
        <FormActions>
          {(!payment.waiting || payment.busy) && <SubmitButton>Submit</SubmitButton>}
          <Button component={Link} variant="default" to={paths.manageSubscription.href()}>
            Cancel
          </Button>
        </FormActions>
      </AppForm>
    </Stack>
  );
}

/** Page for changing the card that the subscription is charged to. */
export default function ManagePaymentDetailsPage() {
  return (
    <PageLayout
      title={paths.managePaymentDetails.title}
      back={{ to: paths.manageSubscription.href(), label: "Billing" }}
      width="narrow"
      card
    >
      <PaymentDetails />
    </PageLayout>
  );
}
