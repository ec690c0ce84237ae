import {
  type ArgumentNode,
  astFromValue,
  type DocumentNode,
  type FieldNode,
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  Kind,
  type NameNode,
  type ObjectFieldNode,
  type OperationDefinitionNode,
  parse,
  parseValue,
  print,
  type SelectionNode,
  type ValueNode,
} from "graphql";

/** Kinds of operation in the schema. */
export type OperationKind = "query" | "mutation";

/** A parsed query text. */
export interface BuiltQuery {
  /** Comment lines above the first definition, which `print` would lose. */
  readonly comments: string;
  readonly document: DocumentNode;
  /** Index of the edited operation among the definitions; -1 if there is none yet. */
  readonly index: number;
}

/** Parses a query text and selects the operation `operationName`, or else the first one. Returns null after a syntax error. */
export function readQuery(text: string, operationName: string | undefined): BuiltQuery | null {
  const comments = /^(?:[ \t]*(?:#[^\n]*)?\n)*/.exec(text)?.[0] ?? "";
  if (text.replace(/#[^\n]*/g, "").trim() === "")
    return { comments: text.trim() === "" ? "" : `${text.trimEnd()}\n`, document: emptyDocument, index: -1 };
  try {
    const document = parse(text, { noLocation: true });
    const { definitions } = document;
    const named = definitions.findIndex(
      (one) => one.kind === Kind.OPERATION_DEFINITION && one.name?.value === operationName,
    );
    const first = definitions.findIndex((one) => one.kind === Kind.OPERATION_DEFINITION);
    return { comments, document, index: named >= 0 ? named : first };
  } catch {
    return null;
  }
}

const emptyDocument: DocumentNode = { kind: Kind.DOCUMENT, definitions: [] };

/** Returns the operation the builder edits; null if there is none yet. */
export function getOperation({ document, index }: BuiltQuery): OperationDefinitionNode | null {
  const found = document.definitions[index];
  return found?.kind === Kind.OPERATION_DEFINITION ? found : null;
}

/** Returns the text with new root selections. If the operation is of the other kind, replaces it. */
export function writeQuery(built: BuiltQuery, kind: OperationKind, selections: readonly SelectionNode[]): string {
  const operation = getOperation(built);
  const next: OperationDefinitionNode | null =
    selections.length === 0
      ? null
      : {
          ...(operation?.operation === kind ? operation : { kind: Kind.OPERATION_DEFINITION }),
          operation: kind as OperationDefinitionNode["operation"],
          selectionSet: { kind: Kind.SELECTION_SET, selections },
        };
  const { definitions: before } = built.document;
  const definitions =
    operation || !next ? before.flatMap((one) => (one !== operation ? [one] : (next ?? []))) : [next, ...before];
  if (definitions.length === 0) return built.comments;
  return `${built.comments}${print({ kind: Kind.DOCUMENT, definitions })}`;
}

/** Finds the field `name`, preferring one without an alias. */
export function findField(selections: readonly SelectionNode[], name: string): FieldNode | undefined {
  const fields = selections.filter((one): one is FieldNode => one.kind === Kind.FIELD && one.name.value === name);
  return fields.find(({ alias }) => !alias) ?? fields[0];
}

/** Replaces `before` with `next`. Adds `next` if `before` is undefined, and removes `before` if `next` is null. */
export function replaceField(
  selections: readonly SelectionNode[],
  before: FieldNode | undefined,
  next: FieldNode | null,
): readonly SelectionNode[] {
  if (!before) return next ? [...selections, next] : selections;
  return selections.flatMap((one) => (one !== before ? [one] : next ? [next] : []));
}

/** Creates a valid field with its required arguments and, for an object, its first leaf field. */
export function createField(type: GraphQLObjectType, name: string): FieldNode | null {
  const field = type.getFields()[name];
  if (!field) return null;
  const inner = getNamedType(field.type);
  const required = field.args.filter(isRequiredArgument).map((arg) => newArgument(arg));
  const selections = isObjectType(inner) ? firstSelection(inner, new Set([type.name])) : [];
  return {
    kind: Kind.FIELD,
    name: nameNode(name),
    ...(required.length > 0 ? { arguments: required } : {}),
    ...(isObjectType(inner) ? { selectionSet: { kind: Kind.SELECTION_SET, selections } } : {}),
  };
}

/** Selects `id`, or else the first leaf field without required arguments, or else the first one inside an object. */
function firstSelection(type: GraphQLObjectType, above: ReadonlySet<string>): SelectionNode[] {
  const fields = Object.values(type.getFields()).filter(({ args }) => !args.some(isRequiredArgument));
  const leaf = fields.find(({ name }) => name === "id") ?? fields.find((one) => isLeafType(getNamedType(one.type)));
  if (leaf) return [{ kind: Kind.FIELD, name: nameNode(leaf.name) }];
  for (const field of fields) {
    const inner = getNamedType(field.type);
    if (!isObjectType(inner) || above.has(inner.name)) continue;
    const selections = firstSelection(inner, new Set([...above, inner.name]));
    return [{ kind: Kind.FIELD, name: nameNode(field.name), selectionSet: { kind: Kind.SELECTION_SET, selections } }];
  }
  return [{ kind: Kind.FIELD, name: nameNode("__typename") }];
}

/** An argument of a field, or a field of an input object. */
export type Input = GraphQLArgument | GraphQLInputField;

/** Returns whether the input is required. */
export function isRequired(input: Input): boolean {
  return isRequiredArgument(input as GraphQLArgument) || isRequiredInputField(input as GraphQLInputField);
}

/** Creates an argument with an initial value. */
function newArgument(arg: GraphQLArgument): ArgumentNode {
  return { kind: Kind.ARGUMENT, name: nameNode(arg.name), value: createValue(arg) };
}

/** Creates an initial value: the default, or else the first enum value, an object with its required fields, or an empty string. */
export function createValue({ type, defaultValue }: Input): ValueNode {
  const nullable = getNullableType(type);
  // The default value of an object would add all of its fields to the query.
  if (defaultValue != null && !isInputObjectType(nullable))
    return astFromValue(defaultValue, type) ?? { kind: Kind.NULL };
  if (isListType(nullable)) return { kind: Kind.LIST, values: [] };
  if (isEnumType(nullable)) return { kind: Kind.ENUM, value: nullable.getValues()[0]?.name ?? "" };
  if (isInputObjectType(nullable))
    return {
      kind: Kind.OBJECT,
      fields: Object.values(nullable.getFields())
        .filter(isRequiredInputField)
        .map((field) => ({ kind: Kind.OBJECT_FIELD, name: nameNode(field.name), value: createValue(field) })),
    };
  switch (getNamedType(nullable).name) {
    case "Int":
    case "Float":
      return { kind: Kind.INT, value: "1" };
    case "Boolean":
      return { kind: Kind.BOOLEAN, value: true };
    default:
      return { kind: Kind.STRING, value: "" };
  }
}

/** Sets the value of an argument or object field. Null removes it. */
export function setValue<Node extends ArgumentNode | ObjectFieldNode>(
  nodes: readonly Node[],
  kind: Node["kind"],
  name: string,
  value: ValueNode | null,
): readonly Node[] {
  if (value === null) return nodes.filter((one) => one.name.value !== name);
  const next = { kind, name: nameNode(name), value } as Node;
  const isThere = nodes.some((one) => one.name.value === name);
  return isThere ? nodes.map((one) => (one.name.value === name ? next : one)) : [...nodes, next];
}

/** Parses a typed text as a value of a type; null if it isn't valid. */
export function parseTypedValue(type: GraphQLInputType, text: string): ValueNode | null {
  const nullable = getNullableType(type);
  if (text.startsWith("$"))
    return /^\$[A-Za-z_]\w*$/.test(text) ? { kind: Kind.VARIABLE, name: nameNode(text.slice(1)) } : null;
  if (!isListType(nullable)) {
    const { name } = getNamedType(nullable);
    if (name === "Int") return /^-?\d+$/.test(text) ? { kind: Kind.INT, value: String(Number(text)) } : null;
    if (name === "Float")
      return text.trim() !== "" && Number.isFinite(Number(text)) ? { kind: Kind.FLOAT, value: text.trim() } : null;
    return { kind: Kind.STRING, value: text };
  }
  try {
    const value = parseValue(text, { noLocation: true });
    return value.kind === Kind.LIST ? value : null;
  } catch {
    return null;
  }
}

/** Formats a value for an input field: strings without quotes, everything else as in the query. */
export function formatValue(value: ValueNode): string {
  return value.kind === Kind.STRING ? value.value : print(value);
}

/** Returns the root type of a kind of operation; null if the schema has none. */
export function getRootType(schema: GraphQLSchema, kind: OperationKind): GraphQLObjectType | null {
  return (kind === "query" ? schema.getQueryType() : schema.getMutationType()) ?? null;
}

function nameNode(value: string): NameNode {
  return { kind: Kind.NAME, value };
}
