import { readKeySettings } from "#api/config.ts";
import { getSealPattern, hasSecretSql, type SealedColumn } from "#api/platform/keys/sealed-secrets.ts";
import { withDatabase } from "./open-command.ts";
import { withClient } from "#api/app/commands/connect.ts";
import { appSecretColumns } from "#api/access/two-step/second-factor.ts";
import { auditKeyColumn } from "#api/audit/chain/audit-key.ts";
import { emailContentColumns } from "#api/messaging/emails/sealed-content.ts";
import { webhookSecretColumns } from "#api/webhooks/endpoints/sweeps.ts";

/** All columns with sealed secrets. Sweeps of their areas encrypt them again after a change of keys. */
export const sealedColumns: readonly SealedColumn[] = [
  ...appSecretColumns,
  ...webhookSecretColumns,
  auditKeyColumn,
  ...emailContentColumns,
];

/** Counts the stored secrets that only a key decrypts. */
export async function findSecretCount(ring: "signing" | "encryption", kid: string): Promise<number> {
  return withDatabase(readKeySettings(), (address) =>
    withClient(address, async (client) => {
      let total = 0;
      for (const sealed of sealedColumns) {
        const { rows } = await client.query<{ count: number }>(
          `select count(*)::int as count from ${sealed.table} where ${hasSecretSql(sealed)} and ${sealed.column} like $1`,
          [getSealPattern(ring, kid)],
        );
        total += rows[0]?.count ?? 0;
      }
      return total;
    }),
  );
}
