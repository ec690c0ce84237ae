import type { Certificate, CertificateEntry, KeptEntry } from "#api/messaging/mails/templates/account-deleted.tsx";
import { type EntityManager, query } from "#api/platform/database.ts";
import type { Erasure, PartProgress } from "./erasure.entity.ts";
import { erasureParts } from "./erasure-parts.ts";

/** What is kept about a closed account, by an SQL condition on the user `$1`. */
const keptRows: readonly { title: string; table: string; where: string; reason: string }[] = [
  {
    title: "Tax invoices and adjustment notes",
    table: "tax_invoices",
    where: "user_id = $1",
    reason:
      "Australian tax law requires us to keep them unchanged for 5 years. They show the buyer's name, address and ABN, and no email address.",
  },
  {
    title: "Subscriptions",
    table: "subscriptions",
    where: "user_id = $1",
    reason: "Plans, dates and amounts belong to the books. Card details are removed.",
  },
  {
    title: "Licences",
    table: "licences",
    where: "user_id = $1",
    reason: "Invoices refer to them, and an ended licence must stay refused. They name nobody.",
  },
  {
    title: "Promo codes used",
    table: "promo_redemptions",
    where: "user_id = $1",
    reason: "Discounts belong to the books, and a one-time code must not work twice. They hold ids only.",
  },
  {
    title: "Trial marks",
    table: "trial_claims",
    where: "licence_id in (select id from licences where user_id = $1)",
    reason: "Hashes of the email address and of devices, so that nobody gets a second free trial.",
  },
];

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
