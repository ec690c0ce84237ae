import type { Opt } from "@mikro-orm/core";
import { Entity, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { productLevels } from "#schema/product-level.ts";
import { type SeatTerm, seatTerms } from "#schema/seats.ts";
import { Cents, Choice, RowId } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";

/** The list price of a seat by product level and term (docs/domain.md#added-seats). */
@VisibleTo("admin")
@ObjectType({ description: "The list price of a seat of a corporate licence." })
@Entity({ tableName: "seat_prices" })
@Unique({ properties: ["productLevel", "term"] })
export class SeatPrice {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Choice(productLevels)
  productLevel!: number;

  @Choice(seatTerms)
  term!: SeatTerm;

  @Cents("Price of a seat for the whole term, in AUD cents without GST.")
  audCents!: number;
}
