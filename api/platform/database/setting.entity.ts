import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/** A value shared by all processes on one database, such as the offset of the development clock. */
@Entity({ tableName: "settings" })
export class Setting {
  @PrimaryKey({ type: types.string })
  name!: string;

  @Property({ type: types.json })
  value!: unknown;
}
