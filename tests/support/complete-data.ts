import type { DocumentNode } from "@apollo/client";
import {
  getNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isEnumType,
  isListType,
  isNullableType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from "graphql";
import { sdl } from "./sdl.ts";

type Data = Record<string, unknown>;

const dates = { Date: "2026-01-01", DateTime: "2026-01-01T00:00:00.000Z" };
/** Values of fields that a test leaves out, by the name of their type. */
const emptyValues: Data = { ID: "1", String: "", Boolean: false, Int: 0, Float: 0, ...dates };

/**
 * Returns an answer to an operation with every field that the operation selects, and the names of the types. A field that `data`
 * leaves out is null, an empty list, or an empty value of its type.
 */
export function completeData(document: DocumentNode, data: Data): Data {
  const fragments = new Map(
    document.definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  );

  function completeObject(type: GraphQLObjectType, { selections }: SelectionSetNode, given: Data): Data {
    const complete: Data = { __typename: type.name, ...given };
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const { name, alias, selectionSet } = selection;
        const field = type.getFields()[name.value];
        const key = (alias ?? name).value;
        if (field) complete[key] = completeValue(field.type, selectionSet, given[key]);
      } else {
        const part = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
        if (part) Object.assign(complete, completeObject(type, part.selectionSet, complete));
      }
    }
    return complete;
  }

  function completeValue(type: GraphQLOutputType, selection: SelectionSetNode | undefined, given: unknown): unknown {
    if (given === null || (given === undefined && isNullableType(type))) return null;
    const present = getNullableType(type);
    if (isListType(present))
      return ((given ?? []) as unknown[]).map((one) => completeValue(present.ofType, selection, one));
    if (isObjectType(present) && selection) return completeObject(present, selection, (given ?? {}) as Data);
    if (given !== undefined) return given;
    return isEnumType(present) ? present.getValues()[0]?.name : emptyValues[present.toString()];
  }

  const operation = document.definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);
  const root = operation && sdl.getRootType(operation.operation);
  return operation && root ? completeObject(root, operation.selectionSet, data) : data;
}
