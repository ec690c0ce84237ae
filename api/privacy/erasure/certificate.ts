import type { Certificate, CertificateEntry, KeptEntry } from "#api/messaging/mails/templates/account-deleted.tsx";
import { type EntityManager, query } from "#api/platform/database.ts";
import type { Erasure, PartProgress } from "./erasure.entity.ts";
import { erasureParts, keptRows } from "#api/privacy/personal-data.ts";

/** Writes the certificate of a finished erasure, in the transaction of `em` that ends it. */
export async function writeCertificate(em: EntityManager, erasure: Erasure, finishedAt: Date): Promise<Certificate> {
  const kept: KeptEntry[] = [];
  for (const { title, table, where, reason } of keptRows) {
    const [found] = await query<{ count: number }>(em, `select count(*)::int as count from ${table} where ${where}`, [
      erasure.user.id,
    ]);
    kept.push({ title, rows: found?.count ?? 0, reason });
  }
  return {
    id: erasure.id,
    userId: erasure.user.id,
    requestedBy: erasure.requestedBy,
    requestedAt: erasure.requestedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    emailHash: erasure.emailHash,
    erased: [profileEntry, ...erasureParts.map((part) => entryOf(part, erasure.progress[part.name]))],
    kept,
  };
}

/** The row of the user is anonymized at the moment the account is closed, before any part. */
const profileEntry: CertificateEntry = { name: "profile", title: "Profile", effect: "anonymized", rows: 1 };

function entryOf(
  { name, title, effect }: Pick<CertificateEntry, "name" | "title" | "effect">,
  progress: PartProgress | undefined,
): CertificateEntry {
  return { name, title, effect, rows: progress?.rows ?? 0 };
}
