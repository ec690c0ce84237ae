import { Arg, type ClassType, Field, InputType, Int, UseMiddleware } from "type-graphql";
import type { AnyObjectSchema, InferType, SchemaDescription, SchemaInnerTypeDescription } from "yup";
import { check } from "./validate.ts";

/** What the schema says about a field but its rule doesn't: a description, or these options. */
type FieldOptions =
  | string
  | {
      readonly description?: string;
      /** GraphQL type, if the rule's isn't enough: `ID`, `Date` or an enum. */
      readonly type?: object;
      /** Input of a field that is an object or a list of objects. */
      readonly input?: Input;
      /** Makes a field whose rule has a default nullable, instead of writing the default into the schema. */
      readonly nullable?: true;
    };

/** A GraphQL input with its rules. {@link CheckedArg} accepts it; `@Arg` needs its `type`, because it doesn't validate. */
export interface Input<Rules extends AnyObjectSchema = AnyObjectSchema> {
  readonly type: ClassType<object>;
  readonly rules: Rules;
}

// Dates are sent as text, because `YYYY-MM-DD` means a whole day. Numbers are integers.
const scalars: Readonly<Record<string, unknown>> = {
  string: String,
  date: String,
  mixed: String,
  number: Int,
  boolean: Boolean,
};

/**
 * Builds a GraphQL input from a rule of `schema`. The rule declares the fields, whether they are required, and their
 * defaults; `fields` adds descriptions and types (decision 0067).
 * @throws Error if a field is an object without an input
 */
export function createInput<Rules extends AnyObjectSchema, Name extends keyof InferType<Rules>>(
  name: string,
  rules: Rules,
  {
    description,
    fields,
  }: { readonly description?: string; readonly fields?: Readonly<Record<Name, FieldOptions>> } = {},
): Input<Rules> {
  class Values {}
  InputType(name, { description })(Values);
  for (const [field, rule] of Object.entries(rules.describe().fields) as [string, SchemaDescription][]) {
    const given = (fields as Readonly<Record<string, FieldOptions>> | undefined)?.[field] ?? {};
    const options = typeof given === "string" ? { description: given } : given;
    const { innerType } = rule as SchemaInnerTypeDescription;
    const type =
      options.input?.type ?? options.type ?? scalars[((innerType as SchemaDescription | undefined) ?? rule).type];
    if (!type) throw new Error(`${name}.${field} needs an input.`);
    const defaultValue = options.nullable || rule.type === "object" ? undefined : rule.default;
    const nullable = (rule.optional || rule.nullable) && defaultValue === undefined;
    Field(() => (innerType ? [type] : type) as never, { description: options.description, nullable, defaultValue })(
      Values.prototype,
      field,
    );
  }
  return { type: Values, rules };
}

type Accepts<Method, Index extends number, Values> = Method extends (...args: infer Args) => unknown
  ? Values extends Args[Index]
    ? Index
    : never
  : never;

/**
 * Declares an argument whose type is an input of {@link createInput}, and validates it before the method runs. The
 * method receives the cast values. Doesn't compile if the parameter's type differs from the rule's.
 */
export function CheckedArg<Rules extends AnyObjectSchema>(
  name: string,
  input: Input<Rules>,
  options: { readonly description?: string; readonly nullable?: boolean; readonly defaultValue?: object } = {},
) {
  return <Target extends object, Method extends keyof Target & string, Index extends number>(
    target: Target,
    method: Method,
    index: Index & Accepts<Target[Method], Index, InferType<Rules>>,
  ): void => {
    Arg(name, () => input.type, options)(target, method, index);
    UseMiddleware(({ args }: { args: Record<string, unknown> }, next) => {
      if (args[name] !== undefined && args[name] !== null) args[name] = check(input.rules, args[name]);
      return next();
    })(target, method);
  };
}
