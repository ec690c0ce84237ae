import { types } from "@mikro-orm/core";
import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { MikroORM } from "@mikro-orm/postgresql";
import { expect, test } from "vitest";
import {
  classifyTables,
  Flag,
  Json,
  LongText,
  Moment,
  Reference,
  RowId,
  Text,
  Uuid,
} from "#api/platform/database/columns.ts";

@Entity({ tableName: "parcels" })
class Parcel {
  @RowId()
  id!: string;

  @Text({ personal: "deleted" })
  recipient!: string;

  @LongText({ nullable: true, personal: { erasedBy: "notes" } })
  note: string | null = null;

  @Text({ fieldName: "track_code", personal: { kept: "Needed for returns." } })
  trackingCode!: string;

  @Uuid({ personal: "none" })
  routeId!: string;

  @Moment()
  sentAt!: Date;

  @Moment({ personal: "deleted" })
  bornAt!: Date;

  @Flag()
  isFragile!: boolean;
}

const parcelTables = { parcels: { erasedBy: "parcels" } };
const openOrm = (...entities: (new () => object)[]) => new MikroORM({ entities, dbName: "none" });

test("derives what happens to each column from its decorator", () => {
  expect(classifyTables(openOrm(Parcel), parcelTables)).toEqual({
    parcels: {
      erased: { parcels: "recipient born_at", notes: "note" },
      kept: { "Needed for returns.": "track_code" },
      impersonal: "id route_id sent_at is_fragile",
    },
  });
});

test("rejects texts, JSON, ids and references without a class of personal data", () => {
  @Entity({ tableName: "labels" })
  class Label {
    @RowId()
    id!: string;

    @Text()
    name!: string;

    @Property({ type: types.text })
    bare!: string;

    @Json()
    details!: object;

    @Uuid()
    authorId!: string;

    @Reference(() => Parcel)
    parcel!: Parcel;
  }
  const orm = openOrm(Parcel, Label);
  for (const column of ["name", "bare", "details", "author_id", "parcel_id"])
    expect(() => classifyTables(orm, parcelTables)).toThrow(`labels.${column} has no class of personal data.`);
  // Rows that are deleted as a whole need no classes.
  const labels = { deleted: "labels" };
  expect(classifyTables(orm, { ...parcelTables, labels })).toMatchObject({ labels });
});

test("rejects a deleted column that no part of the erasure deletes", () => {
  expect(() => classifyTables(openOrm(Parcel), {})).toThrow("No part of the erasure deletes parcels.recipient.");
});
