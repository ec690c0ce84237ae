import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/**
 * Last number used in each gapless series. The next number is taken in the transaction that uses it, so a rollback
 * returns the number.
 */
@Entity({ tableName: "number_sequences" })
export class NumberSequence {
  @PrimaryKey({ type: types.string })
  name!: string;

  @Property({ type: types.integer })
  last!: number;
}
