import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey } from "@mikro-orm/decorators/legacy";
import { Json } from "#api/platform/database/columns.ts";

/** A value shared by all processes on one database, such as the offset of the development clock. */
@Entity({ tableName: "settings" })
export class Setting {
  @PrimaryKey({ type: types.string })
  name!: string;

  @Json({ personal: "none" })
  value!: unknown;
}
