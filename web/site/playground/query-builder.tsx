import { useGraphiQL, type GraphiQLPlugin, useOperationsEditorState, useOptimisticState } from "@graphiql/react";
import { IconListCheck } from "@tabler/icons-react";
import {
  type FieldNode,
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isObjectType,
  Kind,
  type SelectionNode,
} from "graphql";
import { useDeferredValue, useId, useState } from "react";
import {
  findField,
  createField,
  type OperationKind,
  getOperation,
  readQuery,
  getRootType,
  replaceField,
  setValue,
  writeQuery,
} from "./build-query.ts";
import { BuilderInputs } from "./builder-inputs.tsx";
import fields from "#web/public-ui/form/fields.module.css";
import layout from "#web/public-ui/layout.module.css";
import classes from "./query-builder.module.css";

/** Replaces the selections of one level of the query. */
type Select = (selections: readonly SelectionNode[]) => void;

/**
 * Panel for building a query with checkboxes. We don't use `@graphiql/plugin-explorer`, because it doesn't support keyboards
 * or screen readers.
 */
function QueryBuilder() {
  const schema = useGraphiQL((state) => state.schema);
  const operationName = useGraphiQL((state) => state.operationName);
  const [text, setText] = useOptimisticState(useOperationsEditorState());
  const built = readQuery(text, operationName);
  const operation = built && getOperation(built);
  const [wanted, setWanted] = useState<OperationKind>("query");
  const [search, setSearch] = useState("");
  const words = useDeferredValue(search).trim().toLowerCase();
  const groupName = useId();
  if (!schema) return null;
  if (!built)
    return (
      <Panel>
        <p>The query has a syntax error. Fix it in the editor to continue here.</p>
      </Panel>
    );
  const current = operation?.operation === "mutation" ? "mutation" : operation ? "query" : null;
  const kind = current ?? wanted;
  const root = getRootType(schema, kind);
  const selections = operation?.selectionSet.selections ?? [];

  function change(next: readonly SelectionNode[]) {
    // An operation can have only one mutation, so a new one replaces the previous one.
    const added = next.filter((one) => !selections.includes(one));
    const kept = kind === "mutation" && added.length > 0 ? added : next;
    setWanted(kind);
    setText(writeQuery(built!, kind, kept));
  }

  return (
    <Panel>
      <fieldset className={classes.kinds}>
        <legend className={layout.hidden}>Kind of operation</legend>
        {(["query", "mutation"] as const).map((one) => (
          <label key={one}>
            <input
              type="radio"
              name={groupName}
              checked={one === kind}
              onChange={() => {
                setWanted(one);
                if (current !== null && current !== one) setText(writeQuery(built, kind, []));
              }}
            />
            {one === "query" ? "Query" : "Mutation"}
          </label>
        ))}
      </fieldset>
      <input
        type="search"
        className={fields.box}
        aria-label="Filter fields"
        placeholder="Filter fields"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      {root && (
        <Fields
          type={root}
          selections={selections}
          select={change}
          isShown={(name) => words === "" || name.toLowerCase().includes(words) || !!findField(selections, name)}
        />
      )}
    </Panel>
  );
}

function Panel({ children }: { children: React.ReactNode }) {
  return (
    <section className={classes.panel} aria-label="Query builder">
      <h2>Query builder</h2>
      {children}
    </section>
  );
}

interface FieldsProps {
  readonly type: GraphQLObjectType;
  readonly selections: readonly SelectionNode[];
  readonly select: Select;
  readonly isShown?: (name: string) => boolean;
}

/** Checkboxes for the fields of a type. Selected fields show their arguments and nested fields. */
function Fields({ type, selections, select, isShown }: FieldsProps) {
  const fields = Object.values(type.getFields()).filter(({ name }) => isShown?.(name) ?? true);
  if (fields.length === 0) return <p>No fields match.</p>;
  return (
    <ul>
      {fields.map((field) => (
        <FieldRow
          key={field.name}
          type={type}
          field={field}
          node={findField(selections, field.name)}
          change={(next) => select(replaceField(selections, findField(selections, field.name), next))}
        />
      ))}
    </ul>
  );
}

function FieldRow({
  type,
  field,
  node,
  change,
}: {
  type: GraphQLObjectType;
  field: GraphQLField<unknown, unknown>;
  node: FieldNode | undefined;
  change: (next: FieldNode | null) => void;
}) {
  const inner = getNamedType(field.type);
  return (
    <li>
      <label title={field.description ?? undefined}>
        <input
          type="checkbox"
          checked={node !== undefined}
          onChange={({ target }) => change(target.checked ? createField(type, field.name) : null)}
        />
        <span className={classes.name}>{field.name}</span>
        <span className={classes.type}>{String(field.type)}</span>
      </label>
      {node && (field.args.length > 0 || isObjectType(inner)) && (
        <div className={classes.below}>
          {field.args.length > 0 && (
            <BuilderInputs
              label={`Arguments of ${field.name}`}
              inputs={field.args}
              valueOf={(name) => node.arguments?.find((one) => one.name.value === name)?.value}
              change={(name, value) =>
                change({ ...node, arguments: setValue(node.arguments ?? [], Kind.ARGUMENT, name, value) })
              }
            />
          )}
          {isObjectType(inner) && (
            <Fields
              type={inner}
              selections={node.selectionSet?.selections ?? []}
              // An object without fields is invalid, so removing the last field removes the object.
              select={(selections) =>
                change(
                  selections.length > 0 ? { ...node, selectionSet: { kind: Kind.SELECTION_SET, selections } } : null,
                )
              }
            />
          )}
        </div>
      )}
    </li>
  );
}

const Icon = () => <IconListCheck stroke={1.75} aria-hidden="true" />;

/** GraphiQL plugin with the panel. */
export const QUERY_BUILDER_PLUGIN: GraphiQLPlugin = { title: "Query builder", icon: Icon, content: QueryBuilder };
