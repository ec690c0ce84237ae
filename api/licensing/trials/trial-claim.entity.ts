import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";

/**
 * What had its one trial beside the account itself: a normalised email or a device (docs/domain.md#one-trial). A claim
 * keeps every other account away; the account that made it is ruled by its own `hasCompletedTrial`, so
 * clearing that frees its devices; its email's claim is deleted with it.
 */
@Entity({ tableName: "trial_claims" })
@Unique({ properties: ["kind", "value"] })
@Index({
  name: "trial_claims_components",
  expression: "create index trial_claims_components on trial_claims using gin (components jsonb_path_ops)",
})
export class TrialClaim {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Property({ type: types.string })
  kind!: "email" | "device";

  /** Salted hash of the normalised email (`hash_of_email` in the database), or the device's fingerprint. */
  @Property({ type: types.string })
  value!: string;

  /** Components of a device, by which it is known again under another fingerprint. */
  @Property({ type: types.json, nullable: true })
  components: Opt<Record<string, string>> | null = null;

  @Index()
  @Property({ type: types.uuid })
  licenceId!: string;

  @Property({ type: types.datetime })
  claimedAt!: Date;
}
