import type { EntityMetadata, MikroORM } from "@mikro-orm/core";
import type { PersonalData, TableTreatment } from "./personal-data.ts";

/**
 * What happens to the value of a column when its user is erased: nothing, because it identifies nobody; the part that
 * erases the table's personal data deletes it; another part does; or it is kept, for a reason.
 */
export type Personal = "none" | "deleted" | { readonly erasedBy: string } | { readonly kept: string };

/** Reasons for keeping a column that several tables share. */
export const kept = {
  books: { kept: "Accounting records without a name." },
  staffLog: { kept: "Identifies the actor without a name." },
} as const satisfies Readonly<Record<string, Personal>>;

const classes = new Map<unknown, Map<string, Personal>>();

/** Records the class of a column, for the decorators of `columns.ts`. */
export function classifyColumn(target: object, name: string | symbol, personal: Personal): void {
  const known = classes.get(target.constructor) ?? new Map<string, Personal>();
  classes.set(target.constructor, known.set(String(name), personal));
}

/** Kinds of column that can't contain personal data on their own: numbers, times, yes or no, and primary keys. */
const impersonalTypes = /^(smallint|int|bigint|bigserial|double precision|boolean|date|timestamptz)\b/;

/**
 * Returns the treatment of the table of each entity when a user is erased, from the classes of its columns and what the
 * `personal-data.ts` files declare for whole tables.
 * @throws Error if a text, JSON or reference has no class, or a column is deleted and no part of the erasure does it
 */
export function classifyTables(
  orm: Pick<MikroORM, "getMetadata">,
  declared: NonNullable<PersonalData["tables"]>,
): Readonly<Record<string, TableTreatment>> {
  const faults: string[] = [];
  const found = [...orm.getMetadata().getAll().values()].map((meta): [string, TableTreatment] => {
    const table = declared[meta.tableName];
    if (table && ("deleted" in table || "impersonal" in table)) return [meta.tableName, table];
    const erased: Record<string, string> = {};
    const keptColumns: Record<string, string> = {};
    let impersonal = "";
    for (const { column, personal } of listColumns(meta)) {
      const add = (columns = "") => `${columns} ${column}`.trim();
      if (personal === undefined) faults.push(`${meta.tableName}.${column} has no class of personal data.`);
      else if (personal === "none") impersonal = add(impersonal);
      else if (typeof personal === "object" && "kept" in personal)
        keptColumns[personal.kept] = add(keptColumns[personal.kept]);
      else {
        const part = personal === "deleted" ? table?.erasedBy : personal.erasedBy;
        if (part === undefined) faults.push(`No part of the erasure deletes ${meta.tableName}.${column}.`);
        else erased[part] = add(erased[part]);
      }
    }
    const treatment = {
      ...(Object.keys(erased).length > 0 ? { erased } : {}),
      ...(Object.keys(keptColumns).length > 0 ? { kept: keptColumns } : {}),
      impersonal,
    };
    return [meta.tableName, treatment];
  });
  if (faults.length > 0)
    throw new Error(`${faults.join("\n")}\nWrite \`personal\` in the column's decorator (docs/architecture.md).`);
  const whole = Object.entries(declared).filter((one): one is [string, TableTreatment] => !("erasedBy" in one[1]));
  return Object.fromEntries([...whole, ...found]);
}

function listColumns(meta: EntityMetadata): { column: string; personal: Personal | undefined }[] {
  const own = classes.get(meta.class);
  return meta.props.flatMap(({ name, fieldNames, columnTypes, persist, primary, kind, owner }) => {
    if (persist === false || kind === "1:m" || kind === "m:n" || (kind === "1:1" && owner === false)) return [];
    const isImpersonal = kind === "scalar" && (primary === true || impersonalTypes.test(columnTypes[0] ?? ""));
    return fieldNames.map((column) => ({ column, personal: own?.get(name) ?? (isImpersonal ? "none" : undefined) }));
  });
}
