import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/** The last number of each gapless series; taken in the transaction that uses it, so a rollback gives it back. */
@Entity({ tableName: "number_sequences" })
export class NumberSequence {
  @PrimaryKey({ type: types.string })
  name!: string;

  @Property({ type: types.integer })
  last!: number;
}
