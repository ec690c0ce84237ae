import { Group, Radio, TextInput } from "@mantine/core";
import { useState } from "react";
import {
  type BillingSubscriptionFieldsFragment,
  type SubscriptionActionKind,
  useRetryPaymentMutation,
  useRunSubscriptionActionMutation,
  useSubscriptionActionPreviewQuery,
} from "#web/generated/graphql.ts";
import { cleanNumber } from "#schema/clean-text.ts";
import { isDay } from "#schema/dates.ts";
import { getPauseDays } from "#schema/days.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { MoneyDialog, type MoneyAnswer } from "#web/billing/money-dialog.tsx";
import { describeAction } from "#web/billing/subscriptions/describe-action.ts";
import { actionLabels, isCancelling } from "#web/billing/subscriptions/subscription-texts.ts";
import { DayInput } from "#web/ui/form/date-field.tsx";
import { notify } from "#web/platform/notifications.ts";
import { formatError, getFieldErrors } from "#web/platform/server-error.ts";

const doneTexts: Readonly<Record<SubscriptionActionKind, string>> = {
  RETRY_PAYMENT: "The payment has been received.",
  CANCEL_AT_PERIOD_END: "The subscription ends with its period.",
  CANCEL_NOW: "The subscription has ended.",
  RESUME: "The subscription has been resumed.",
  PAUSE: "The subscription is paused.",
  END_PAUSE: "The pause has ended.",
  EXTEND_LICENCE: "The licence has been extended.",
};

interface SubscriptionActionDialogProps extends DialogControl {
  subscription: Pick<BillingSubscriptionFieldsFragment, "id" | "status">;
  /** The action; a cancellation can be changed to one that applies now. */
  kind: SubscriptionActionKind;
  onDone: () => void;
}

/** Runs an action on a customer's subscription after showing its effects. */
export default function SubscriptionActionDialog(props: SubscriptionActionDialogProps) {
  const { subscription, onDone, opened, onClose } = props;
  const [kind, setKind] = useState(props.kind);
  const [typedDays, setTypedDays] = useState("7");
  const [until, setUntil] = useState(() => getPauseDays(new Date()).last);
  const isPause = kind === "PAUSE";
  const pauseUntil = isPause && isDay(until) ? until : null;
  const isExtension = kind === "EXTEND_LICENCE";
  const isRetry = kind === "RETRY_PAYMENT";
  const digits = cleanNumber(typedDays);
  const days = isExtension && /^\d{1,3}$/.test(digits) ? Number(digits) : null;
  const subscriptionId = subscription.id;
  const { data, error, refetch } = useSubscriptionActionPreviewQuery({
    variables: { subscriptionId, kind, days, pauseUntil },
    fetchPolicy: "no-cache",
    context: { staysOnPage: true },
  });
  const preview = data?.subscriptionActionPreview;
  const [run] = useRunSubscriptionActionMutation();
  const [retry] = useRetryPaymentMutation();
  const fieldErrors = getFieldErrors(error);
  const fieldError = fieldErrors.days?.[0] ?? fieldErrors.pauseUntil?.[0];

  async function send({ reason, key }: MoneyAnswer) {
    const licenceExpiresAt = isExtension ? (preview?.licenceExpiresAt ?? null) : null;
    const result = isRetry
      ? (await retry({ variables: { subscriptionId, key } })).data?.retryPayment
      : (await run({ variables: { input: { subscriptionId, kind, days, pauseUntil, licenceExpiresAt, reason, key } } }))
          .data?.runSubscriptionAction;
    if (result?.status === "FAILED") notify.error(result.message ?? "The payment failed.");
    else if (result?.status === "PENDING")
      notify.error("The payment provider can't be reached. Check again in a minute.");
    else notify.success(doneTexts[kind]);
  }

  return (
    <MoneyDialog
      opened={opened}
      title={actionLabels[kind]}
      confirmLabel={actionLabels[kind]}
      danger={isCancelling(kind)}
      asksReason={!isRetry}
      effects={preview && describeAction(kind, preview, subscription.status)}
      refusal={
        error && fieldError === undefined ? formatError(error, "Unable to calculate what will happen.") : undefined
      }
      onTried={onDone}
      reload={refetch}
      onConfirm={send}
      onClose={onClose}
    >
      {props.kind === "CANCEL_AT_PERIOD_END" && (
        <Radio.Group label="When" value={kind} onChange={(value) => setKind(value as SubscriptionActionKind)}>
          <Group gap="lg" mt="xs">
            <Radio value="CANCEL_AT_PERIOD_END" label="At the end of the period" />
            <Radio value="CANCEL_NOW" label="Now" />
          </Group>
        </Radio.Group>
      )}
      {isPause && <DayInput label="Pause until" required value={until} error={fieldError} onChange={setUntil} />}
      {isExtension && (
        <TextInput
          label="Days"
          inputMode="numeric"
          required
          value={typedDays}
          error={fieldError}
          onChange={(event) => setTypedDays(event.currentTarget.value)}
        />
      )}
    </MoneyDialog>
  );
}
