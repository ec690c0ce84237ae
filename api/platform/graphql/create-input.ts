import { Arg, type ClassType, Field, InputType, Int, UseMiddleware } from "type-graphql";
import type { AnyObjectSchema, InferType, Schema } from "yup";
import type { ClosedList } from "#schema/closed-list.ts";
import { getEnum } from "#api/platform/graphql/declare.ts";
import { DayScalar, MomentScalar } from "./scalars.ts";
import { check } from "#api/platform/validate.ts";

/** Describes what GraphQL needs to know about a field and its rule doesn't say. */
interface FieldOptions {
  readonly description?: string;
  /** Type, if the rule's isn't enough: `ID`, `Date` or an enum. */
  readonly type?: object;
  /** Input of a field that is an object or a list of objects. */
  readonly input?: Input;
  /** Makes a field whose rule has a default nullable, instead of writing the default into the schema. */
  readonly nullable?: true;
  readonly deprecationReason?: string;
}

/** A GraphQL input with its rules. {@link CheckedArg} accepts it; `@Arg` needs its `type`, because it doesn't validate. */
export interface Input<Rules extends AnyObjectSchema = AnyObjectSchema> {
  readonly type: ClassType<object>;
  readonly rules: Rules;
  readonly description?: string | undefined;
}

// Numbers are integers.
const scalars: Readonly<Record<string, unknown>> = {
  string: String,
  date: MomentScalar,
  mixed: String,
  number: Int,
  boolean: Boolean,
};

type FieldRule = Schema & { readonly innerType?: FieldRule; readonly fields?: AnyObjectSchema["fields"] };

/** Returns whether two rules of objects have the same fields, with the same rules. */
const hasFields = (rules: AnyObjectSchema | undefined, { fields }: FieldRule): boolean =>
  Object.keys({ ...rules?.fields, ...fields }).every((name) => rules?.fields[name] === fields?.[name]);

/**
 * Builds a GraphQL input from a rule of `schema`. The rule declares the fields, whether they are required, and their
 * defaults; `fields` adds descriptions and types (decision 0067).
 * @throws Error if a field is an object, and its input is missing or has other rules
 */
export function createInput<Rules extends AnyObjectSchema, Name extends keyof InferType<Rules>>(
  name: string,
  rules: Rules,
  options: { readonly description?: string; readonly fields?: Readonly<Record<Name, string | FieldOptions>> } = {},
): Input<Rules> {
  class Values {}
  InputType(name, options)(Values);
  for (const [field, rule] of Object.entries(rules.fields as Readonly<Record<string, FieldRule>>)) {
    const given = options.fields?.[field as Name] ?? {};
    const { description, input, ...more }: FieldOptions = typeof given === "string" ? { description: given } : given;
    const item = rule.innerType ?? rule;
    if (item.type === "object" && !hasFields(input?.rules, item))
      throw new Error(`${name}.${field} needs the input of its rule.`);
    // A rule for a closed list names the list, so that the field gets its enum. A function, because yup copies objects.
    // A text that is a day or a moment names its scalar.
    const { list: findList, scalar } = (item.spec.meta ?? {}) as { list?: () => ClosedList; scalar?: "day" | "moment" };
    const list = findList?.();
    const text = scalar === "day" ? DayScalar : scalar === "moment" ? MomentScalar : scalars[item.type];
    const type = input?.type ?? more.type ?? (list ? getEnum(list) : text);
    const { optional, nullable, default: value } = rule.describe();
    const defaultValue = more.nullable || rule.type === "object" ? undefined : value;
    Field(() => (rule.innerType ? [type] : type) as never, {
      description: description ?? list?.meaning ?? sharedFieldDescriptions[field],
      ...(more.deprecationReason ? { deprecationReason: more.deprecationReason } : {}),
      nullable: (optional || nullable) && defaultValue === undefined,
      defaultValue,
    })(Values.prototype, field);
  }
  return { type: Values, rules, description: options.description };
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
    Arg(name, () => input.type, { description: input.description, ...options })(target, method, index);
    UseMiddleware(({ args }: { args: Record<string, unknown> }, next) => {
      if (args[name] !== undefined && args[name] !== null) args[name] = check(input.rules, args[name]);
      return next();
    })(target, method);
  };
}

/**
 * Descriptions of input fields, by name, that mean the same in every input. An input's own description of a field comes
 * first.
 */
const sharedFieldDescriptions: Readonly<Record<string, string>> = {
  abn: "Australian Business Number. Empty clears it.",
  acknowledgedNotice:
    "Whether the customer acknowledged that the licence is for a single user, not for organisations or conversion services. Must be true.",
  allowOnVms: "Whether the licence may be used on virtual machines.",
  challenge: "The challenge of the second step.",
  city: "City or suburb.",
  companyName: "Name of the company.",
  completedSecurityInformation: "Whether the customer's security questionnaire was answered.",
  completedSoftwareQA: "Whether the customer's questions about software quality were answered.",
  confirmPassword: "The same password again.",
  description: "What the line is for.",
  email: "Email address.",
  existingPassword: "The current password.",
  expiresAt: "The expiry date, in UTC.",
  firstName: "First name.",
  fullAddress: "The whole address on one line. Empty if left out.",
  includeArchived: "Whether to include archived users.",
  isOnSale: "Whether customers can buy the plan.",
  isServiceProvider: "Whether the user is a service provider.",
  isSubscribedToNewsLetter: "Whether the user receives the newsletter.",
  isTester: "Whether the user is offered builds of the stages `ALPHA` and `BETA`.",
  issuedW8Form: "Whether the vendor sent its W-8 form (United States tax).",
  kind: "The action.",
  lastName: "Last name.",
  licence: "The licence to issue or extend when the invoice is paid.",
  licenceId: "The licence.",
  lines: "The lines, in order.",
  machineName: "Name of the machine. Upper and lower case are the same.",
  mobile: "Phone number.",
  name: "A name for it.",
  numberOfMachines: "Number of devices that can be activated, 1 to 1000.",
  numberOfUsers: "Number of users, or of seats of a concurrent licence, 1 to 1000.",
  offset: "Number of rows to skip.",
  password: "The password.",
  phone: "Phone number.",
  planPriceId: "The plan price.",
  position: "Position in the company.",
  postCode: "Post code.",
  projectTerm: "The project of a `PROJECT` licence, in words.",
  promoCode: "A promo code. Not case-sensitive.",
  purchaseOrderNumber: "The customer's purchase order number.",
  quantity: "Number of units.",
  reference: "Reference of the payment, such as on the bank statement.",
  referrer: "Who referred the user, in words.",
  slug: "The plan, such as `xer-professional`.",
  sortBy: "The order of the rows.",
  streetName: "Street name.",
  streetNumber: "Street number.",
  subscriptionId: "The subscription.",
  unitNumber: "Unit, flat or suite number.",
  userId: "The user.",
};
