import type { MikroORM } from "@mikro-orm/postgresql";
import { type GraphQLSchema, getNullableType, isEnumType, isLeafType, isObjectType } from "graphql";
import { getMetadataStorage } from "type-graphql";
import { buildCaseSql, formatMomentSql, type SqlReads, toSqlLiteral } from "./read-context.ts";

/** Column types with the same JSON format in PostgreSQL and GraphQL. */
const plain = /^(varchar|text|uuid|smallint|int|boolean)(\(\d+\))?$/;

/**
 * Creates SQL reads for all fields that are plain columns of their entity, based on the ORM's metadata. Fields with a
 * resolver are excluded, even if a column has the same name.
 */
export function createColumnReads(orm: MikroORM, schema: GraphQLSchema): SqlReads {
  const reads: Record<string, SqlReads[string]> = {};
  const resolved = findResolvedFields();
  for (const meta of orm.getMetadata().getAll().values()) {
    const declared = getMetadataStorage().objectTypes.find(({ target }) => target === meta.class);
    const type = schema.getType(declared?.name ?? "");
    if (!declared || !isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const coordinate = `${type.name}.${field.name}`;
      // A field's name can differ from its property's name.
      const name = declared.fields?.find(({ schemaName }) => schemaName === field.name)?.name ?? "";
      const property = meta.properties[name as never] as
        | { kind: string; columnTypes?: string[]; fieldNames?: string[] }
        | undefined;
      const column = property?.fieldNames?.[0];
      const columnType = property?.columnTypes?.[0] ?? "";
      if (!property || !column || property.kind !== "scalar" || resolved.has(coordinate)) continue;
      const named = getNullableType(field.type);
      if (!isLeafType(named) || field.args.length > 0) continue;
      // Columns store the internal values of an enum.
      if (isEnumType(named) && named.getValues().some(({ name: code, value }) => code !== value)) {
        const codes = new Map(
          named.getValues().map(({ name: code, value }) => [value as number | string, toSqlLiteral(code)]),
        );
        reads[coordinate] = ({ row }) => buildCaseSql(`${row}."${column}"`, codes, "null");
      } else if (plain.test(columnType)) reads[coordinate] = ({ row }) => `${row}."${column}"`;
      else if (columnType.startsWith("timestamptz"))
        reads[coordinate] = ({ row }) => formatMomentSql(`${row}."${column}"`);
      else if (/^big(int|serial)$/.test(columnType)) reads[coordinate] = ({ row }) => `${row}."${column}"::text`;
    }
  }
  return reads;
}

/** Returns the coordinates of all fields with a resolver method. */
function findResolvedFields(): ReadonlySet<string> {
  const { fieldResolvers, objectTypes, resolverClasses } = getMetadataStorage();
  const found = new Set<string>();
  for (const { target, schemaName } of fieldResolvers) {
    const of = resolverClasses.find((resolver) => resolver.target === target)?.getObjectType() ?? target;
    const type = objectTypes.find((candidate) => candidate.target === of);
    if (type) found.add(`${type.name}.${schemaName}`);
  }
  return found;
}
