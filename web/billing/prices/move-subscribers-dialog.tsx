import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { formatCount, formatNumber } from "#schema/numbers.ts";
import { NOTICE_DAYS } from "#schema/plan.ts";
import { type MoneyAnswer, MoneyDialog } from "#web/billing/money-dialog.tsx";
import {
  type ManagedPriceFragment,
  type PriceMovePreviewQuery,
  useMoveSubscribersMutation,
  usePriceMovePreviewQuery,
} from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { formatError } from "#web/platform/server-error.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";

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
  const preview = data?.priceMovePreview;
  const refusal =
    preview?.count === 0
      ? ["No subscriber can move now.", ...describeTooSoon(preview.tooSoonCount)].join(" ")
      : error && formatError(error, "Unable to load the subscribers.");

  async function send({ reason, key }: MoneyAnswer) {
    const input = { priceId: price.id, expectedAudCents: preview?.audCents, reason, key };
    const { data: moved } = await move({ variables: { input } });
    const count = moved?.moveSubscribers.count ?? 0;
    notify.success(`${formatCount(count, "subscriber")} ${count === 1 ? "moves" : "move"} to the new price.`);
  }

  return (
    <MoneyDialog
      {...dialog}
      title={`Move subscribers of ${name}`}
      confirmLabel="Move subscribers"
      effects={preview && preview.count > 0 ? describeMove(preview) : undefined}
      refusal={refusal}
      onTried={onMoved}
      reload={refetch}
      onConfirm={send}
    />
  );
}

/** Says whom a move affects and when, one sentence for each effect. */
function describeMove({
  audCents,
  count,
  tooSoonCount,
  firstRenewalAt,
  lastRenewalAt,
}: PriceMovePreviewQuery["priceMovePreview"]): string[] {
  const [first, last] = [firstRenewalAt, lastRenewalAt].map((at) => at && formatSellerDate(at));
  const days = first === last ? `on ${first}` : `between ${first} and ${last}`;
  return [
    `${formatCount(count, "subscriber")} ${count === 1 ? "pays" : "pay"} ${formatAud(audCents)} plus any GST from the first renewal in ${NOTICE_DAYS} days or later, ${days}. Each receives an email now.`,
    ...describeTooSoon(tooSoonCount),
  ];
}

/** Says how many subscribers can't move yet, because they renew too soon. Empty if there are none. */
function describeTooSoon(count: number): string[] {
  if (count === 0) return [];
  const who = `${formatNumber(count)} ${count === 1 ? "renews" : "renew"} within ${NOTICE_DAYS} days`;
  return [`${who} and ${count === 1 ? "pays" : "pay"} the current price once more.`];
}
