import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey } from "@mikro-orm/decorators/legacy";
import { Integer } from "#api/platform/database/columns.ts";

/**
 * Last number used in each gapless series. The next number is taken in the transaction that uses it, so a rollback
 * returns the number.
 */
@Entity({ tableName: "number_sequences" })
export class NumberSequence {
  @PrimaryKey({ type: types.string })
  name!: string;

  @Integer()
  last!: number;
}
