import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/** A value that all processes on one database share, such as the development clock's offset. */
@Entity({ tableName: "settings" })
export class Setting {
  @PrimaryKey({ type: types.string })
  name!: string;

  @Property({ type: types.json })
  value!: unknown;
}
