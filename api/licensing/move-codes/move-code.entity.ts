import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Licence } from "#api/licensing/licences/licence.entity.ts";

/** The latest code emailed to a licence's owner for one machine. With it the machine can list the licence's devices. */
@Entity({ tableName: "move_codes" })
@Unique({ properties: ["licence", "fingerprint"] })
export class MoveCode {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @ManyToOne(() => Licence, { deleteRule: "cascade" })
  licence!: Licence;

  /** Fingerprint of the machine that requested the code. No other machine can use it. */
  @Property({ type: types.string })
  fingerprint!: string;

  /** Keyed hash of six digits. */
  @Property({ type: types.string })
  codeHash!: string;

  /** Number of wrong attempts. */
  @Property({ type: types.integer })
  attempts: Opt<number> = 0;

  @Property({ type: types.datetime })
  createdAt!: Date;

  @Index()
  @Property({ type: types.datetime })
  expiresAt!: Date;
}
