import { appSecretColumns } from "#api/access/two-step/reseal-app-secrets.ts";
import { auditKeyColumn } from "#api/audit/chain/audit-key.ts";
import type { SealedColumn } from "#api/platform/keys/sealed-secrets.ts";
import { webhookSecretColumns } from "#api/webhooks/endpoints/sweeps.ts";

/** All columns with sealed secrets. Sweeps of their areas encrypt them again after a change of keys. */
export const sealedColumns: readonly SealedColumn[] = [...appSecretColumns, ...webhookSecretColumns, auditKeyColumn];
