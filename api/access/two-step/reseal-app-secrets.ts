import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { resealColumn, type SealedColumn } from "#api/platform/keys/sealed-secrets.ts";

/** Columns with the sealed secrets of authenticator apps. */
export const appSecretColumns: readonly SealedColumn[] = ["secret", "pending_secret"].map((column) => ({
  table: "authenticator_apps",
  column,
  boundTo: "user_id",
}));

/** Encrypts app secrets again with the current encryption key, so that the other keys can be removed. */
export const resealAppSecrets: Sweep = {
  name: "reseal-app-secrets",
  everySeconds: 600,
  async run(context) {
    let resealed = 0;
    for (const column of appSecretColumns) resealed += await resealColumn(context, column);
    return resealed;
  },
};
