import { bulkLimits } from "#schema/bulk.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database.ts";
import type { BulkOptions } from "./bulk-run.entity.ts";
import { rowOfLicence } from "./check-changes.ts";
import { doPart, type Hold } from "./hold-run.ts";
import { UnreadableFile } from "./inspect-file.ts";
import { judgeLicence, type LicenceFacts, selectLicenceFacts } from "./judge-licence.ts";
import { finish, storeRows } from "./store-rows.ts";

/** Licences looked at in one part, in the order of their ids: few or many may meet the conditions. */
const LOOKED_AT_ONCE = 5_000;
const firstId = "00000000-0000-0000-0000-000000000000";

/**
 * The dry run of a choice by conditions: goes through all licences in parts that take the same time however rare the
 * wanted ones are. Deactivated ones are left out.
 * @returns whether there is nothing more to look at.
 * @throws UnreadableFile when none meets the conditions, or more than 100,000 do.
 */
export async function chooseLicences(context: Context, hold: Hold, isTimeUp: () => boolean): Promise<boolean> {
  const { run } = hold;
  const em = context.em.fork();
  const [last] = await query<{ licenceId: string; rowNumber: number }>(
    em,
    `select licence_id as "licenceId", row_number as "rowNumber" from bulk_rows
      where run_id = $1 order by row_number desc limit 1`,
    [run.id],
  );
  let behind = last?.licenceId ?? firstId;
  let count = last?.rowNumber ?? 0;
  while (!isTimeUp()) {
    const [end] = await query<{ id: string }>(
      em,
      `select id from licences where id > $1 order by id offset ${LOOKED_AT_ONCE - 1} limit 1`,
      [behind],
    );
    const found = await query<LicenceFacts>(
      em,
      `${selectLicenceFacts} where l.id > $1 and l.id <= coalesce($2, l.id) and l.revoked_at is null ${conditionsOf} order by l.id`,
      [behind, end?.id ?? null, ...valuesOf(run.options.conditions ?? {})],
    );
    count += found.length;
    if (count > bulkLimits.rows)
      throw new UnreadableFile("More than 100,000 licences meet these conditions. Choose fewer, please.");
    const now = context.clock.now();
    const isOurs = await doPart(context, hold, (tx) =>
      storeRows(
        tx,
        run.id,
        found.map((licence, at) =>
          rowOfLicence(count - found.length + at + 1, licence, judgeLicence(run, licence, now), "Row"),
        ),
        end ? Math.floor((100 * Number.parseInt(end.id.slice(0, 4), 16)) / 65_536) : 100,
      ),
    );
    if (!isOurs) return true;
    if (!end) {
      if (count === 0) throw new UnreadableFile("No licence meets these conditions.");
      await finish(context, hold, []);
      return true;
    }
    behind = end.id;
  }
  return false;
}

const conditionsOf = `
  and ($3::int is null or l.product_level = $3) and ($4::int is null or l.licence_category = $4)
  and ($5::text is null or l.purchase_order_number = $5)
  and ($6::timestamptz is null or l.expires_at >= $6) and ($7::timestamptz is null or l.expires_at <= $7)`;

function valuesOf(conditions: NonNullable<BulkOptions["conditions"]>): readonly unknown[] {
  const { productLevel, licenceCategory, purchaseOrderNumber, expiringFrom, expiringTo } = conditions;
  return [productLevel, licenceCategory, purchaseOrderNumber, expiringFrom, expiringTo].map((one) => one ?? null);
}
