import { productLevels, seatLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import { formatDay } from "#schema/dates.ts";
import { licenceBounds, needsSeat } from "#schema/licence.ts";
import { formatAud } from "#schema/money.ts";
import { formatCount } from "#schema/numbers.ts";
import {
  type AddSeatsValues,
  calculateSeatCents,
  countSeatDays,
  formatSeatChange,
  type SeatDays,
  type SeatsValues,
  seatTerms,
} from "#schema/seats.ts";
import { getCredit } from "#api/billing/credits/credits.ts";
import { assertCanBeInvoiced, lockCustomer } from "#api/billing/invoices/lock-invoice.ts";
import { applyCredit, calculateAmounts, createInvoice, findInvoiceByKey } from "#api/billing/invoices/edit-invoices.ts";
import { isRenewed } from "#api/billing/subscriptions/subscription.entity.ts";
import { linkLicence } from "#api/billing/invoices/fulfil-licence.ts";
import { openInvoice } from "#api/billing/invoices/issue-invoice.ts";
import type { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { digestRequest } from "#api/billing/request-key.ts";
import { toAuditedLicence, recordLicenceChange } from "#api/licensing/licences/lock-licences.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, getRow, inKeyedTransaction } from "#api/platform/database/database.ts";
import { badInput, conflict } from "#api/platform/errors.ts";
import { SeatPrice } from "./seat-price.entity.ts";
import type { SeatsPreview } from "./seats.resolver.ts";

/** What adding seats would do to a licence. */
type SeatsPlan = SeatsPreview & SeatDays & { readonly licence: Licence };

/**
 * Calculates what adding seats to a corporate licence does, pro rata to the end of the licence (docs/domain.md#added-seats).
 * @throws AppError NOT_FOUND; CONFLICT if the licence isn't a corporate one that staff invoice, or has ended; BAD_USER_INPUT
 * if neither the values nor the list have a price, or there would be too many seats.
 */
export async function planSeats(context: Context, em: EntityManager, values: SeatsValues): Promise<SeatsPlan> {
  const licence = await findLicence(em, values.licenceId);
  const { user, productLevel, numberOfUsers: fromSeats } = licence;
  assertCanBeInvoiced(user);
  const time = countSeatDays(licence.expiresAt, values.term, context.clock.now());
  if (!time) throw conflict("This licence has expired. Extend it first.");
  const toSeats = fromSeats + values.seats;
  const { max } = licenceBounds.users;
  if (toSeats > max) throw badInput({ seats: [`A licence has at most ${max} seats.`] });
  const price = await em.findOne(SeatPrice, { productLevel, term: values.term });
  const termCents = values.termCents ?? price?.audCents;
  if (!termCents) {
    const wanted = `${findLabel(productLevels, productLevel)}, ${findLabel(seatTerms, values.term)}`;
    throw badInput({ termCents: [`The price list has no price for ${wanted}. Enter one.`] });
  }
  const seatCents = calculateSeatCents(termCents, time);
  const amounts = calculateAmounts([toLine(licence, values.seats, time, seatCents)], user.country);
  const { discountCents, gstCents, totalCents, creditCents } = applyCredit(amounts, await getCredit(em, user.id));
  const listCents = price?.audCents ?? null;
  const sums = { listCents, seatCents, discountCents, gstCents, totalCents, termCents, creditCents };
  return { licence, fromSeats, toSeats, ...time, ...sums };
}

/**
 * Adds seats to a corporate licence and issues their invoice in one transaction. The end of the licence stays. A repeated call
 * with the same key returns the first invoice.
 * @throws AppError as {@link planSeats} and {@link findInvoiceByKey}; CONFLICT if the total or the present seats differ from those shown.
 */
export async function addSeats(context: Context, values: AddSeatsValues): Promise<ManualInvoice> {
  const { seats, term, termCents, purchaseOrder } = values;
  const requestDigest = digestRequest({ seats, term, termCents, purchaseOrder });
  return inKeyedTransaction(context, async (em) => {
    const { id, user } = await findLicence(em, values.licenceId);
    await lockCustomer(em, user.id);
    const first = await findInvoiceByKey(em, values.key, (one) => one.licence?.id === id, requestDigest);
    if (first) return first;
    const plan = await planSeats(context, em, values);
    if (plan.totalCents !== values.expectedTotalCents)
      throw conflict(`The total is now ${formatAud(plan.totalCents)}. Check it, and add the seats again.`);
    const { licence, fromSeats, toSeats } = plan;
    if (values.expectedSeats !== undefined && fromSeats !== values.expectedSeats)
      throw conflict(
        `The licence has ${formatCount(fromSeats, "seat")} now. Check whether the seats were already added, and try again.`,
      );
    const line = { ...toLine(licence, seats, plan, plan.seatCents), withoutPeriod: undefined };
    const given = { lines: [line], dueDay: undefined, purchaseOrder, licence: undefined };
    const invoice = await createInvoice({ ...context, em }, user.id, given, values.key);
    invoice.requestDigest = requestDigest;
    await openInvoice(context, em, user, invoice);
    await linkLicence(em, invoice, licence);
    const before = toAuditedLicence(licence);
    licence.numberOfUsers = toSeats;
    // Each seat needs a device. On a licence without leases, a device is all that a seat gives.
    const devices = needsSeat(licence.licenceActivationType) ? 0 : licence.numberOfMachines + seats;
    licence.numberOfMachines = Math.min(
      Math.max(licence.numberOfMachines, toSeats, devices),
      licenceBounds.machines.max,
    );
    await recordLicenceChange(context, em, "add-seats", licence, before, {
      seats: formatSeatChange(fromSeats, toSeats),
      invoice: invoice.taxInvoice?.number ?? null,
    });
    return invoice;
  });
}

/** Returns a licence with its owner, as it is now. @throws AppError NOT_FOUND; CONFLICT if it can't get seats by invoice. */
async function findLicence(em: EntityManager, id: string): Promise<Licence> {
  const licence = await getRow(em, Licence, id, { populate: ["user"], refresh: true });
  if (licence.revokedAt) throw conflict("This licence has been deactivated and can't be changed.");
  if (!seatLevels.includes(licence.productLevel) || (await isRenewed(em, licence.id)))
    throw conflict("Seats can only be added to a corporate licence.");
  return licence;
}

function toLine({ productLevel, numberOfUsers }: Licence, seats: number, time: SeatDays, seatCents: number) {
  const change = formatSeatChange(numberOfUsers, numberOfUsers + seats);
  const { firstDay, lastDay, days, termDays } = time;
  return {
    description: `${findLabel(productLevels, productLevel)}, ${change} until ${formatDay(lastDay)} (${days} of ${termDays} days)`,
    quantity: seats,
    unitCents: seatCents,
    firstDay,
    lastDay,
  };
}
