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

/** The kinds of operation the schema has. */
export type OperationKind = "query" | "mutation";

/** A query text as the builder edits it. */
export interface BuiltQuery {
  /** Comment lines above the first definition; printing a document loses them. */
  readonly comments: string;
  readonly document: DocumentNode;
  /** The place of the edited operation among the definitions; -1 if there is none yet. */
  readonly index: number;
}

/** Reads the operation called `operationName`, or else the first one; null if the text has a syntax error. */
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
export function operationOf({ document, index }: BuiltQuery): OperationDefinitionNode | null {
  const found = document.definitions[index];
  return found?.kind === Kind.OPERATION_DEFINITION ? found : null;
}

/** Returns the text with other fields selected at the root; an operation of the other kind is replaced. */
export function writeQuery(built: BuiltQuery, kind: OperationKind, selections: readonly SelectionNode[]): string {
  const operation = operationOf(built);
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

/** Returns the field `name` among selections, aliased ones last; undefined if it is not selected. */
export function fieldIn(selections: readonly SelectionNode[], name: string): FieldNode | undefined {
  const fields = selections.filter((one): one is FieldNode => one.kind === Kind.FIELD && one.name.value === name);
  return fields.find(({ alias }) => !alias) ?? fields[0];
}

/** Returns the selections with `next` in the place of `before`: added if there was none, removed if `next` is null. */
export function withField(
  selections: readonly SelectionNode[],
  before: FieldNode | undefined,
  next: FieldNode | null,
): readonly SelectionNode[] {
  if (!before) return next ? [...selections, next] : selections;
  return selections.flatMap((one) => (one !== before ? [one] : next ? [next] : []));
}

/** Returns a field that is valid as soon as it is selected: with its required arguments and, for an object, its first leaf. */
export function newField(type: GraphQLObjectType, name: string): FieldNode | null {
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

/** `id`, or else the first field that is a leaf and needs no argument, or else the first leaf below an object. */
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

/** An argument of a field or a field of an input object: both have a name, a type and a value. */
export type Input = GraphQLArgument | GraphQLInputField;

/** Returns whether an operation without this input is invalid. */
export function isRequired(input: Input): boolean {
  return isRequiredArgument(input as GraphQLArgument) || isRequiredInputField(input as GraphQLInputField);
}

/** Returns an argument with a value of its type to start from. */
function newArgument(arg: GraphQLArgument): ArgumentNode {
  return { kind: Kind.ARGUMENT, name: nameNode(arg.name), value: newValue(arg) };
}

/** Returns an input's default, or a value of its type: the first of an enum, an object with its required fields, an empty text. */
export function newValue({ type, defaultValue }: Input): ValueNode {
  const nullable = getNullableType(type);
  // The default of an object holds those of its fields, which would all be written out.
  if (defaultValue != null && !isInputObjectType(nullable))
    return astFromValue(defaultValue, type) ?? { kind: Kind.NULL };
  if (isListType(nullable)) return { kind: Kind.LIST, values: [] };
  if (isEnumType(nullable)) return { kind: Kind.ENUM, value: nullable.getValues()[0]?.name ?? "" };
  if (isInputObjectType(nullable))
    return {
      kind: Kind.OBJECT,
      fields: Object.values(nullable.getFields())
        .filter(isRequiredInputField)
        .map((field) => ({ kind: Kind.OBJECT_FIELD, name: nameNode(field.name), value: newValue(field) })),
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

/** Returns arguments or object fields with another value for one of them; null removes it. */
export function withValue<Node extends ArgumentNode | ObjectFieldNode>(
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

/** Returns what somebody typed as a value of a type; null while it is none. */
export function valueOfText(type: GraphQLInputType, text: string): ValueNode | null {
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

/** Returns a value as it is typed: texts without quotes, everything else as in the query. */
export function textOfValue(value: ValueNode): string {
  return value.kind === Kind.STRING ? value.value : print(value);
}

/** Returns the root type of a kind of operation. */
export function rootOf(schema: GraphQLSchema, kind: OperationKind): GraphQLObjectType | null {
  return (kind === "query" ? schema.getQueryType() : schema.getMutationType()) ?? null;
}

function nameNode(value: string): NameNode {
  return { kind: Kind.NAME, value };
}
