import { bulkKinds } from "#schema/bulk.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import type { BulkRun } from "./bulk-run.entity.ts";

/** Name and address of the admin who answers for a run, as the audit log writes them. */
export async function nameOfAdmin(em: EntityManager, id: string): Promise<string> {
  const [admin] = await query<{ name: string }>(
    em,
    "select first_name || ' ' || last_name || ' <' || email || '>' as name from users where id = $1",
    [id],
  );
  return (admin?.name ?? "Unknown").slice(0, 255);
}

/** What a run is called in the audit log: `Import users: staff.csv`. */
export function nameOfRun({ kind, fileName }: BulkRun): string {
  return fileName ? `${bulkKinds[kind]}: ${fileName}`.slice(0, 255) : bulkKinds[kind];
}
