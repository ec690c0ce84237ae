import { findLabel } from "#schema/closed-list.ts";
import { formatDay } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { formatSeatChange, seatTerms } from "#schema/seats.ts";
import type { SeatLicencesQuery, SeatsPreviewQuery, SeatTerm } from "#web/generated/graphql.ts";

type SeatLicence = SeatLicencesQuery["user"]["licences"][number];

/** Says what adding seats will do, one sentence for each effect. */
export function describeSeats(
  preview: SeatsPreviewQuery["seatsPreview"],
  { subscriptionLevel, supportCode }: Pick<SeatLicence, "subscriptionLevel" | "supportCode">,
  term: SeatTerm,
): string[] {
  const { fromSeats, toSeats, days, termDays, lastDay, termCents, seatCents, gstCents, totalCents, creditCents } =
    preview;
  return [
    `${subscriptionLevel} licence ${supportCode}: ${formatSeatChange(fromSeats, toSeats)}, now. It still ends on ${formatDay(lastDay)}.`,
    `${days} of ${termDays} days are left. ${formatAud(termCents)} for ${findLabel(seatTerms, term)} is ${formatAud(seatCents)} for each new seat.`,
    `An invoice of ${formatAud(totalCents)}, including ${formatAud(gstCents)} GST, is issued and emailed to the customer.`,
    ...(creditCents > 0 ? [`The customer's credit of ${formatAud(creditCents)} is used.`] : []),
  ];
}
