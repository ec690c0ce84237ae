import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Json, Moment, RowId, SqlIndex, Text, Uuid } from "#api/platform/database/columns.ts";

/**
 * Records that a normalised email or a device has had its trial (docs/domain.md#one-trial). A claim prevents trials by
 * all other accounts. For the account that made it, `hasCompletedTrial` decides, so clearing that flag allows another
 * trial on the same devices. The claim on the account's email is deleted at the same time.
 */
@Entity({ tableName: "trial_claims" })
@Unique({ properties: ["kind", "value"] })
@SqlIndex("create index trial_claims_components on trial_claims using gin (components jsonb_path_ops)")
export class TrialClaim {
  @RowId()
  id: Opt<string> = randomUUID();

  @Text({ personal: "none" })
  kind!: "email" | "device";

  /** Salted hash of the normalised email (`hash_of_email` in the database), or the device's fingerprint. */
  @Text({ personal: { kept: "Hashed email address and device, which prevent a second trial." } })
  value!: string;

  /** Components of a device. They identify the device if its fingerprint changes. */
  @Json({ nullable: true, personal: { kept: "Hashed email address and device, which prevent a second trial." } })
  components: Opt<Record<string, string>> | null = null;

  @Index()
  @Uuid({ personal: "none" })
  licenceId!: string;

  @Moment()
  claimedAt!: Date;
}
