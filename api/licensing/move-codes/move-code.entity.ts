import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Integer, Moment, Reference, RowId, Text } from "#api/platform/database/columns.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";

/** The latest code emailed to a licence's owner for one machine. With it the machine can list the licence's devices. */
@Entity({ tableName: "move_codes" })
@Unique({ properties: ["licence", "fingerprint"] })
export class MoveCode {
  @RowId()
  id: Opt<string> = randomUUID();

  @Reference(() => Licence, { deleteRule: "cascade" })
  licence!: Licence;

  /** Fingerprint of the machine that requested the code. No other machine can use it. */
  @Text()
  fingerprint!: string;

  /** Keyed hash of six digits. */
  @Text()
  codeHash!: string;

  /** Number of wrong attempts. */
  @Integer()
  attempts: Opt<number> = 0;

  @Moment()
  createdAt!: Date;

  @Index()
  @Moment()
  expiresAt!: Date;
}
