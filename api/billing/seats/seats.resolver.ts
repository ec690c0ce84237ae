import { Ctx, ID, Mutation, Query, Resolver } from "type-graphql";
import {
  type AddSeatsValues,
  addSeatsRules,
  type SeatPriceValues,
  seatPriceRules,
  seatsRules,
  type SeatsValues,
  seatTerms,
} from "#schema/seats.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { Allow, createType, field, fieldOrNull } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { addSeats, planSeats } from "./add-seats.ts";
import { SeatPrice } from "./seat-price.entity.ts";
import { randomUUID } from "node:crypto";
import { productLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import { formatAud } from "#schema/money.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { inTransaction, query } from "#api/platform/database/database.ts";

const seatsFields = {
  licenceId: { type: ID, description: "A corporate licence." },
  seats: "Number of seats to add.",
  termCents: "Price of a seat for the whole term, in AUD cents without GST. Default: the price list.",
};

const SeatsInput = createInput("SeatsInput", seatsRules, {
  description: "Seats to add to a licence.",
  fields: seatsFields,
});

const AddSeatsInput = createInput("AddSeatsInput", addSeatsRules, {
  description: "Seats to add to a licence, as the preview showed them.",
  fields: {
    ...seatsFields,
    expectedTotalCents: "The total that `seatsPreview` returned. Another total gives a CONFLICT.",
    expectedSeats: "The seats of the licence that `seatsPreview` returned. Another number gives a CONFLICT.",
    purchaseOrder: "Purchase order number. By default, that of the billing contact.",
    key: "A new UUID. A repeated call returns the first invoice.",
  },
});

const SeatPriceInput = createInput("SeatPriceInput", seatPriceRules, {
  description: "A price of the list of seats.",
  fields: { audCents: "Price of a seat for the whole term, in AUD cents without GST." },
});

export const SeatsPreview = createType("SeatsPreview", "admin", "What adding seats would do. Amounts are AUD cents.", {
  fromSeats: field.integer("Seats of the licence now."),
  toSeats: field.integer("Seats of the licence afterwards."),
  days: field.integer("Days from today to the end of the licence, both included."),
  termDays: field.integer("Days of the whole term."),
  lastDay: field.day("Last day of the licence, which stays."),
  listCents: fieldOrNull.integer("Price of the list for the term. Null if the list has none."),
  seatCents: field.integer("Price of a seat for the days that are left, without GST."),
  discountCents: field.integer("The reduction of the price by the customer's goodwill credit, without GST."),
  gstCents: field.integer("GST."),
  totalCents: field.integer("Amount of the invoice including GST."),
  termCents: field.integer("Price of a seat for the whole term, without GST: the given one, or that of the list."),
  creditCents: field.integer("Credit of the customer that the invoice uses."),
});
export type SeatsPreview = InstanceType<typeof SeatsPreview>;

@Resolver()
export class SeatsResolver {
  @Allow("admin", { roles: ["finance"], scope: "billing:read" })
  @Query(() => [SeatPrice], { description: "The price list of seats of corporate licences, by level and term." })
  async seatPrices(@Ctx() context: Context): Promise<SeatPrice[]> {
    return context.em.fork().find(SeatPrice, {}, { orderBy: { productLevel: "asc", term: "asc" } });
  }

  @Allow("admin", { roles: ["finance"], scope: "billing:read" })
  @Query(() => SeatsPreview, { description: "Returns what adding seats would do, without doing it." })
  async seatsPreview(
    @CheckedArg("input", SeatsInput) input: SeatsValues,
    @Ctx() context: Context,
  ): Promise<SeatsPreview> {
    return planSeats(context, context.em, input);
  }

  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => ManualInvoice, {
    description:
      "Adds seats to a corporate licence and issues their invoice, pro rata to the end of the licence, which stays. A repeated call returns the first invoice.",
  })
  async addSeats(
    @CheckedArg("input", AddSeatsInput) input: AddSeatsValues,
    @Ctx() context: Context,
  ): Promise<ManualInvoice> {
    return addSeats(context, input);
  }

  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => SeatPrice, { description: "Sets a price of the list of seats. Seats added before keep theirs." })
  async setSeatPrice(
    @CheckedArg("input", SeatPriceInput) input: SeatPriceValues,
    @Ctx() context: Context,
  ): Promise<SeatPrice> {
    return setSeatPrice(context, input);
  }
}

/** Sets a price of the list. Seats that were added before keep theirs. */
async function setSeatPrice(context: Context, values: SeatPriceValues): Promise<SeatPrice> {
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
