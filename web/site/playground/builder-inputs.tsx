import {
  getNamedType,
  getNullableType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  Kind,
  type ValueNode,
} from "graphql";
import { useState } from "react";
import { type Input, isRequired, createValue, formatValue, parseTypedValue, setValue } from "./build-query.ts";
import fields from "#web/public-ui/form/fields.module.css";
import classes from "./query-builder.module.css";

/** Form for arguments or fields of an input object. Required inputs can't be deselected. */
export function BuilderInputs({
  label,
  inputs,
  valueOf,
  change,
}: {
  label: string;
  inputs: readonly Input[];
  valueOf: (name: string) => ValueNode | undefined;
  change: (name: string, value: ValueNode | null) => void;
}) {
  return (
    <ul className={classes.inputs} aria-label={label}>
      {inputs.map((input) => {
        const value = valueOf(input.name);
        return (
          <li key={input.name}>
            <div className={classes.input} title={input.description ?? undefined}>
              <label>
                <input
                  type="checkbox"
                  checked={value !== undefined}
                  disabled={isRequired(input) && value !== undefined}
                  onChange={({ target }) => change(input.name, target.checked ? createValue(input) : null)}
                />
                <span className={classes.name}>{input.name}</span>
              </label>
              {value ? (
                <ValueInput
                  label={`Value of ${input.name}`}
                  type={input.type}
                  value={value}
                  change={(next) => change(input.name, next)}
                />
              ) : (
                <span className={classes.type}>{String(input.type)}</span>
              )}
            </div>
            {value?.kind === Kind.OBJECT && isInputObjectType(getNullableType(input.type)) && (
              <BuilderInputs
                label={`Fields of ${input.name}`}
                inputs={Object.values(
                  (getNullableType(input.type) as { getFields: () => Record<string, Input> }).getFields(),
                )}
                valueOf={(name) => value.fields.find((one) => one.name.value === name)?.value}
                change={(name, next) =>
                  change(input.name, { ...value, fields: setValue(value.fields, Kind.OBJECT_FIELD, name, next) })
                }
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function ValueInput({
  label,
  type,
  value,
  change,
}: {
  label: string;
  type: GraphQLInputType;
  value: ValueNode;
  change: (next: ValueNode) => void;
}) {
  // Keeps the typed text while it isn't a valid value, such as an incomplete number.
  const [draft, setDraft] = useState<string | null>(null);
  const nullable = getNullableType(type);
  if (value.kind === Kind.OBJECT) return null;
  const isVariable = value.kind === Kind.VARIABLE;
  const options = isEnumType(nullable)
    ? nullable.getValues().map(({ name }) => name)
    : getNamedType(nullable).name === "Boolean" && !isListType(nullable)
      ? ["true", "false"]
      : null;
  if (options && !isVariable)
    return (
      <select
        aria-label={label}
        className={`${fields.box} ${classes.value}`}
        value={formatValue(value)}
        onChange={({ target }) =>
          change(
            isEnumType(nullable)
              ? { kind: Kind.ENUM, value: target.value }
              : { kind: Kind.BOOLEAN, value: target.value === "true" },
          )
        }
      >
        {options.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    );
  return (
    <input
      aria-label={label}
      aria-invalid={draft !== null && parseTypedValue(type, draft) === null}
      className={`${fields.box} ${classes.value}`}
      inputMode={getNamedType(nullable).name === "Int" ? "numeric" : undefined}
      placeholder={String(type)}
      value={draft ?? formatValue(value)}
      onChange={({ target }) => {
        setDraft(target.value);
        const next = parseTypedValue(type, target.value);
        if (next) change(next);
      }}
      onBlur={() => setDraft(null)}
    />
  );
}
