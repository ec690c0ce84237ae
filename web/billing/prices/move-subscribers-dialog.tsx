import { Text } from "@mantine/core";
import { useState } from "react";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { formatNumber } from "#schema/numbers.ts";
import { NOTICE_DAYS } from "#schema/plan.ts";
import { createRequestKey } from "#web/billing/request-key.ts";
import {
  type ManagedPriceFragment,
  useMoveSubscribersMutation,
  usePriceMovePreviewQuery,
} from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import ReasonDialog from "./reason-dialog.tsx";

interface MoveSubscribersDialogProps extends DialogControl {
  price: ManagedPriceFragment;
  /** Name of the price, such as `Professional, yearly`. */
  name: string;
  onMoved: () => void;
}

/** Dialog that moves the subscribers of a plan to its current price. */
export default function MoveSubscribersDialog({ price, name, onMoved, ...dialog }: MoveSubscribersDialogProps) {
  const { data, error, refetch } = usePriceMovePreviewQuery({
    variables: { priceId: price.id },
    fetchPolicy: "network-only",
  });
  const [move] = useMoveSubscribersMutation();
  // A retry of this dialog is the same request.
  const [key] = useState(createRequestKey);
  const preview = data?.priceMovePreview;

  async function confirm(reason: string) {
    const { data: moved } = await move({ variables: { input: { priceId: price.id, reason, key } } });
    const count = moved?.moveSubscribers.count ?? 0;
    notify.success(`${formatNumber(count)} ${count === 1 ? "subscriber moves" : "subscribers move"} to the new price.`);
    onMoved();
  }

  return (
    <ReasonDialog
      {...dialog}
      title={`Move subscribers of ${name}`}
      confirmLabel="Move subscribers"
      fallback="Unable to move the subscribers."
      onConfirm={confirm}
    >
      {!preview && <Loaded query={{ error, refetch }} failure="Unable to load the subscribers." />}
      {preview && (
        <>
          <Text>
            {preview.count === 0
              ? "No subscriber can move now."
              : `${formatNumber(preview.count)} ${preview.count === 1 ? "subscriber pays" : "subscribers pay"} ${formatAud(price.audCents)} plus GST from the first renewal in ${NOTICE_DAYS} days or later${formatRenewals(preview)}. Each receives an email now.`}
          </Text>
          {preview.tooSoonCount > 0 && (
            <Text c="dimmed" fz="sm">
              {formatNumber(preview.tooSoonCount)} {preview.tooSoonCount === 1 ? "renews" : "renew"} within{" "}
              {NOTICE_DAYS} days and {preview.tooSoonCount === 1 ? "pays" : "pay"} the current price once more.
            </Text>
          )}
        </>
      )}
    </ReasonDialog>
  );
}

function formatRenewals(preview: { firstRenewalAt: string | null; lastRenewalAt: string | null }): string {
  const [first, last] = [preview.firstRenewalAt, preview.lastRenewalAt].map((at) => at && formatSellerDate(at));
  if (!first || !last) return "";
  return first === last ? `, on ${first}` : `, between ${first} and ${last}`;
}
