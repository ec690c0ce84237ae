import { NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { cleanNumber } from "#schema/clean-text.ts";
import { MAX_INVOICE_CENTS } from "#schema/manual-invoice.ts";
import { formatAud, parseCents } from "#schema/money.ts";
import { formatCount } from "#schema/numbers.ts";
import { hasSeatsByInvoice } from "#schema/product-level.ts";
import { formatSeatChange, seatTerms } from "#schema/seats.ts";
import { formatTypedAmount } from "#web/billing/promo-codes/format-discount.ts";
import { MoneyDialog } from "#web/billing/money-dialog.tsx";
import {
  type SeatLicencesQuery,
  type SeatTerm,
  useAddSeatsMutation,
  useSeatLicencesQuery,
  useSeatsPreviewQuery,
  type SeatsPreviewQuery,
} from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { formatError, getFieldErrors } from "#web/platform/server-error.ts";
import { AppDialog, type DialogControl } from "#web/ui/confirm-dialog.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { findLabel } from "#schema/closed-list.ts";
import { formatDay } from "#schema/dates.ts";

interface AddSeatsDialogProps extends DialogControl {
  userId: string;
  /** The licence that is chosen at first; null for the customer's first one. */
  licenceId: string | null;
  onDone: () => void;
}

/** Dialog that adds seats to a corporate licence and issues their invoice, after showing the days, amounts and effects. */
export default function AddSeatsDialog({ userId, licenceId, onDone, ...dialog }: AddSeatsDialogProps) {
  const query = useSeatLicencesQuery({ variables: { userId }, fetchPolicy: "network-only" });
  const { data } = query;
  const licences = data?.user.licences.filter(
    ({ productLevel, status }) => hasSeatsByInvoice(productLevel) && status !== "REVOKED",
  );
  if (data && licences && licences.length > 0)
    return (
      <AddSeatsForm
        {...dialog}
        data={data}
        licences={licences}
        first={licenceId ?? licences[0]?.id ?? ""}
        onDone={onDone}
      />
    );
  return (
    <AppDialog {...dialog} title="Add seats">
      <Loaded query={query} loading="Loading the licences" failure="Unable to load the licences.">
        {() => "This customer has no corporate licence. Seats can only be added to a corporate licence."}
      </Loaded>
    </AppDialog>
  );
}

type SeatLicence = SeatLicencesQuery["user"]["licences"][number];

interface AddSeatsFormProps extends Omit<AddSeatsDialogProps, "userId" | "licenceId"> {
  data: SeatLicencesQuery;
  licences: readonly SeatLicence[];
  first: string;
}

function AddSeatsForm({ data, licences, first, onDone, ...dialog }: AddSeatsFormProps) {
  const [licenceId, setLicenceId] = useState(first);
  const [seats, setSeats] = useState("1");
  const [term, setTerm] = useState<SeatTerm>("ONE_YEAR");
  const [price, setPrice] = useState<string | null>(null);
  const [purchaseOrder, setPurchaseOrder] = useState("");
  const [addSeats] = useAddSeatsMutation();
  const licence = licences.find(({ id }) => id === licenceId) ?? licences[0];
  const listed = data.seatPrices.find((one) => one.term === term && one.productLevel === licence?.productLevel);
  const typedPrice = price ?? (listed ? formatAud(listed.audCents) : "");
  const typedSeats = cleanNumber(seats);
  const input = {
    licenceId: licence?.id ?? "",
    seats: /^\d{1,3}$/.test(typedSeats) ? Number(typedSeats) : 0,
    term,
    // The API says that a higher price is too high, unless it isn't a 32-bit integer.
    termCents: Math.min(parseCents(typedPrice) ?? 0, MAX_INVOICE_CENTS + 1),
  };
  const isComplete = input.seats > 0 && input.termCents > 0;
  const [asked] = useDebouncedValue(JSON.stringify(input), 250);
  const {
    data: found,
    error,
    refetch,
  } = useSeatsPreviewQuery({
    variables: { input },
    skip: !isComplete || asked !== JSON.stringify(input),
    fetchPolicy: "no-cache",
    context: { staysOnPage: true },
  });
  const preview = found?.seatsPreview;
  const fieldErrors = getFieldErrors(error);
  const from = licence?.numberOfUsers ?? 0;

  async function send({ key }: { key: string }) {
    if (!preview) return;
    const given = { ...input, expectedTotalCents: preview.totalCents, purchaseOrder: purchaseOrder || null, key };
    const { data: sent } = await addSeats({ variables: { input: given } });
    notify.success(`${formatSeatChange(from, from + input.seats)}. Invoice ${sent?.addSeats.number} has been emailed.`);
  }

  return (
    <MoneyDialog
      {...dialog}
      title="Add seats"
      confirmLabel={preview ? `Add seats for ${formatAud(preview.totalCents)}` : "Add seats"}
      effects={preview && licence && describeSeats(preview, licence, input.term)}
      refusal={
        !isComplete
          ? "Enter the number of seats and the price."
          : error && !fieldErrors.seats && !fieldErrors.termCents
            ? formatError(error, "Unable to calculate the price.")
            : undefined
      }
      asksReason={false}
      onTried={onDone}
      reload={refetch}
      onConfirm={send}
    >
      <NativeSelect
        label="Licence"
        value={licence?.id}
        data={licences.map(({ id, subscriptionLevel, supportCode, numberOfUsers }) => ({
          value: id,
          label: `${subscriptionLevel} ${supportCode}, ${formatCount(numberOfUsers, "seat")}`,
        }))}
        onChange={(event) => {
          setLicenceId(event.currentTarget.value);
          setPrice(null);
        }}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="Seats to add"
          description={input.seats > 0 ? formatSeatChange(from, from + input.seats) : "1 to 999"}
          inputMode="numeric"
          maxLength={3}
          required
          data-autofocus
          value={seats}
          error={fieldErrors.seats?.[0]}
          onChange={(event) => setSeats(event.currentTarget.value)}
        />
        <NativeSelect
          label="Term"
          description="The price is for this term."
          value={term}
          data={seatTerms.map(({ code, label }) => ({ value: code, label }))}
          onChange={(event) => {
            setTerm(event.currentTarget.value as SeatTerm);
            setPrice(null);
          }}
        />
        <TextInput
          label="Price of a seat"
          description={
            listed ? `Without GST. Price list: ${formatAud(listed.audCents)}` : "Without GST. Not in the price list."
          }
          inputMode="decimal"
          maxLength={20}
          required
          value={typedPrice}
          error={fieldErrors.termCents?.[0]}
          onChange={(event) => setPrice(event.currentTarget.value)}
          onBlur={() => price !== null && setPrice(formatTypedAmount(price))}
        />
        <TextInput
          label="PO number"
          description="Optional"
          maxLength={100}
          value={purchaseOrder}
          onChange={(event) => setPurchaseOrder(event.currentTarget.value)}
        />
      </SimpleGrid>
    </MoneyDialog>
  );
}

/** Says what adding seats will do, one sentence for each effect. */
function describeSeats(
  preview: SeatsPreviewQuery["seatsPreview"],
  { subscriptionLevel, supportCode }: SeatLicence,
  term: SeatTerm,
): string[] {
  const { fromSeats, toSeats, days, termDays, lastDay, termCents, seatCents } = preview;
  const { discountCents, gstCents, totalCents, creditCents } = preview;
  return [
    `${subscriptionLevel} licence ${supportCode}: ${formatSeatChange(fromSeats, toSeats)}, now. It still ends on ${formatDay(lastDay)}.`,
    `${days} of ${termDays} days are left. ${formatAud(termCents)} for ${findLabel(seatTerms, term)} is ${formatAud(seatCents)} for each new seat.`,
    ...(discountCents > 0
      ? [`The customer's goodwill credit reduces the price by ${formatAud(discountCents)}, without GST.`]
      : []),
    `An invoice of ${formatAud(totalCents)}, including ${formatAud(gstCents)} GST, is issued and emailed to the customer.`,
    ...(creditCents > 0 ? [`The customer's credit of ${formatAud(creditCents)} is used.`] : []),
  ];
}
