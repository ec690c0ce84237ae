import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";

/**
 * Records that a normalised email or a device has had its trial (docs/domain.md#one-trial). A claim prevents trials by
 * all other accounts. For the account that made it, `hasCompletedTrial` decides, so clearing that flag allows another
 * trial on the same devices. The claim on its email is deleted at the same time.
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

  /** Components of a device. They identify the device if its fingerprint changes. */
  @Property({ type: types.json, nullable: true })
  components: Opt<Record<string, string>> | null = null;

  @Index()
  @Property({ type: types.uuid })
  licenceId!: string;

  @Property({ type: types.datetime })
  claimedAt!: Date;
}
