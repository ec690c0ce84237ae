import { bulkLimits } from "#schema/bulk.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database.ts";
import type { BulkOptions } from "./bulk-run.entity.ts";
import { rowOfLicence } from "./check-changes.ts";
import { doPart, type Hold } from "./hold-run.ts";
import { UnreadableFile } from "./inspect-file.ts";
import { judgeLicence, type LicenceFacts, selectLicenceFacts } from "./judge-licence.ts";
import { finish, lastRow, storeRows } from "./store-rows.ts";

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
  let behind = run.lookedUpTo ?? firstId;
  let count = await lastRow(em, run.id);
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
    const rows = found.map((licence, at) =>
      rowOfLicence(count - found.length + at + 1, licence, judgeLicence(run, licence, now), "Row"),
    );
    const isOurs = await doPart(context, hold, async (tx) => {
      await storeRows(tx, run.id, rows, end ? percentAt(end.id) : 100);
      // Where a following slice goes on: rows tell of matches alone, and there may be none for long.
      if (end) await query(tx, "update bulk_runs set looked_up_to = $2 where id = $1", [run.id, end.id]);
    });
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

/** Ids are spread evenly, so that their first digits say how far it is. */
const percentAt = (id: string) => Math.floor((100 * Number.parseInt(id.slice(0, 4), 16)) / 65_536);

const conditionsOf = `
  and ($3::int is null or l.product_level = $3) and ($4::int is null or l.licence_category = $4)
  and ($5::text is null or l.purchase_order_number = $5)
  and ($6::timestamptz is null or l.expires_at >= $6) and ($7::timestamptz is null or l.expires_at <= $7)`;

function valuesOf(conditions: NonNullable<BulkOptions["conditions"]>): readonly unknown[] {
  const { productLevel, licenceCategory, purchaseOrderNumber, expiringFrom, expiringTo } = conditions;
  return [productLevel, licenceCategory, purchaseOrderNumber, expiringFrom, expiringTo].map((one) => one ?? null);
}
