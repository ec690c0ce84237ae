import { randomUUID } from "node:crypto";
import { productLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import { formatAud } from "#schema/money.ts";
import { type SeatPriceValues, seatTerms } from "#schema/seats.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import type { Context } from "#api/platform/context.ts";
import { inTransaction, query } from "#api/platform/database/database.ts";
import { SeatPrice } from "./seat-price.entity.ts";

/** Returns the price list of seats, by level and term. Levels and terms without a price aren't in it. */
export async function listSeatPrices({ em }: Pick<Context, "em">): Promise<SeatPrice[]> {
  return em.fork().find(SeatPrice, {}, { orderBy: { productLevel: "asc", term: "asc" } });
}

/** Sets a price of the list. Seats that were added before keep theirs. */
export async function setSeatPrice(context: Context, values: SeatPriceValues): Promise<SeatPrice> {
  const { productLevel, term, audCents } = values;
  return inTransaction(context, async (em) => {
    const key = { productLevel, term };
    const [before] = await query<{ cents: number }>(
      em,
      "select aud_cents as cents from seat_prices where product_level = $1 and term = $2 for update",
      [productLevel, term],
    );
    await query(
      em,
      `insert into seat_prices (id, product_level, term, aud_cents) values ($1, $2, $3, $4)
       on conflict (product_level, term) do update set aud_cents = excluded.aud_cents`,
      [randomUUID(), productLevel, term, audCents],
    );
    const price = await em.findOneOrFail(SeatPrice, key, { refresh: true });
    if (before?.cents === audCents) return price;
    const name = `Seat, ${findLabel(productLevels, productLevel)}, ${findLabel(seatTerms, term)}`;
    await recordChange(context, em, {
      action: "set-seat-price",
      subject: { type: "plan", id: price.id, name },
      userId: null,
      before: { price: before ? formatAud(before.cents) : null },
      after: { price: formatAud(audCents) },
    });
    return price;
  });
}
