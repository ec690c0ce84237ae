import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  type SelectionNode,
} from "graphql";

/** Fragments of a document by name. */
export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Returns the fragments that a document defines. */
export function getFragments(document: DocumentNode): Fragments {
  return new Map(
    document.definitions
      .filter((one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
}

/**
 * Returns the selected fields by response key, following fragments and honouring `@skip` and `@include` (section 6.3.2 of
 * the GraphQL specification). The schema has no interfaces or unions, so validation has already rejected fragments on
 * other types.
 * @param variables coerced values, defaults included
 */
export function collectFields(
  selections: readonly SelectionNode[],
  fragments: Fragments,
  variables: Readonly<Record<string, unknown>>,
): Map<string, FieldNode[]> {
  const found = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  const collect = (nodes: readonly SelectionNode[]): void => {
    for (const node of nodes) {
      if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.if === true) continue;
      if (getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if === false) continue;
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        const same = found.get(key);
        if (same) same.push(node);
        else found.set(key, [node]);
      } else if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet.selections);
      else if (!visited.has(node.name.value)) {
        visited.add(node.name.value);
        collect(fragments.get(node.name.value)?.selectionSet.selections ?? []);
      }
    }
  };
  collect(selections);
  return found;
}
