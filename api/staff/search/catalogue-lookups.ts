import { softwareStages } from "#schema/software.ts";
import { findLabel } from "#schema/closed-list.ts";
import { formatAud } from "#schema/money.ts";
import type { Context } from "#api/platform/context.ts";
import { normalizePromoCode } from "#api/billing/promo-codes/find-promo-code.ts";
import { type CatalogueHit, CatalogueHitKind } from "./search-hit.type.ts";

/** Finds promo codes that aren't deleted by the start of their code. There are few, so the lookup needs no index. */
export async function findPromoCodes(context: Context, typed: string, most: number): Promise<CatalogueHit[]> {
  type Row = Record<"id" | "code", string> & { isExact: boolean; isExpired: boolean } & Record<
      "basisPoints" | "amountCents",
      number | null
    >;
  const { rows } = await context.pool.query<Row>({
    name: "search-promo-codes",
    text: `select id, code, basis_points as "basisPoints", amount_cents as "amountCents", compared_code = $1 as "isExact",
                  coalesce(expires_at <= $3, false) as "isExpired"
             from promo_codes
            where archived_at is null and starts_with(compared_code, $1)
            order by compared_code <> $1, coalesce(expires_at <= $3, false), created_at desc, id limit $2`,
    values: [normalizePromoCode(typed), most, context.clock.now()],
  });
  return rows.map(({ id, code, basisPoints, amountCents, isExact, isExpired }) => {
    const discount = basisPoints === null ? formatAud(amountCents ?? 0) : `${basisPoints / 100}%`;
    return {
      id,
      kind: CatalogueHitKind.PROMO_CODE,
      label: code,
      subLabel: `${discount} off${isExpired ? " · expired" : ""}`,
      isPast: isExpired,
      isExact,
    };
  });
}

/** Finds software builds by the start of their version, with or without "v", or of the installer's file name, newest first. */
export async function findBuilds(context: Context, typed: string, most: number): Promise<CatalogueHit[]> {
  const text = typed.trim().toLowerCase();
  type Row = Record<"id" | "version" | "fileName" | "state", string> & {
    stage: number;
    isPast: boolean;
    isExact: boolean;
  };
  const { rows } = await context.pool.query<Row>({
    name: "search-builds",
    text: `select id, version, stage, file_name as "fileName", withdrawn_at is not null as "isPast",
                  (version = $2 or lower(file_name) = $1) as "isExact",
                  case when withdrawn_at is not null then 'withdrawn' when published_at is null then 'draft'
                       else 'published' end as state
             from software_builds
            where starts_with(version, $2) or starts_with(lower(file_name), $1)
            order by version <> $2, version_parts desc, stage desc, created_at desc, id limit $3`,
    values: [text, text.replace(/^v(?=\d)/, ""), most],
  });
  return rows.map(({ id, version, stage, fileName, state, isPast, isExact }) => ({
    id,
    kind: CatalogueHitKind.SOFTWARE_BUILD,
    label: `${version} ${findLabel(softwareStages, stage)}`,
    subLabel: `${fileName} · ${state}`,
    isPast,
    isExact,
  }));
}
