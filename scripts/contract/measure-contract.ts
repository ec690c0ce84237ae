/** Prints what makes the GraphQL schema hard to use for strangers, and fails if there is any (`npm run check`). */
import { readFileSync } from "node:fs";
import {
  buildSchema,
  getNamedType,
  type GraphQLArgument,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isLeafType,
  isInputObjectType,
  isListType,
  getNullableType,
  isObjectType,
  isSpecifiedScalarType,
} from "graphql";

type Fault =
  | "closed lists in prose"
  | "days and moments as text"
  | "undescribed places"
  | "mutations that return a scalar"
  | "further page shapes"
  | "ids without their object";

/** A field, an argument or an input field, by its coordinate. */
interface Place {
  readonly coordinate: string;
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

/** Descriptions that list the values of a text or number: "1 Users, 2 Licences", "one of a, b", "`a`, `b` or `c`". */
const listings = [
  /\b\d+ [A-Z][^,.]*, \d+ [A-Z]/,
  /\b(one|any|one or more|at least one) of [a-z`A-Z]/i,
  /: [a-z]+(-[a-z]+)+, [a-z]/,
  /`[\w.-]+`( \([^)]*\))?,? or `[\w.-]+`/,
  /^[a-z]+(-[a-z]+)*(, [a-z-]+)+ or [a-z]+\.$/m,
];
/** Names of fields whose values are a closed list. */
const closedNames =
  /(^|[a-z])(status|state|kind|level|type|category|stage|method|format|period|schedule|effect|tone|basis|interval|figure|role|scope|resultcode|features?|code)s?$/i;
/** Fields with such a name, or such a description, whose values are no closed list. */
const openPlaces = new Set([
  // Labels of several roles, joined.
  "AccountAccess.role",
  "AuthenticatorAppCodeInput.code",
  "CompleteSignInInput.code",
  "ConfirmDeviceAuthorizationInput.userCode",
  "DeviceAuthorization.userCode",
  "IdentityProofInput.code",
  "Licence.subscriptionLevel",
  "Mutation.denyDeviceAuthorization.userCode",
  "Mutation.proveIdentity.code",
  "PromoCode.code",
  "PromoCodeInput.code",
  // A person's role at the customer.
  "Quote.acceptedByRole",
  "QuoteAcceptanceInput.role",
  "Query.deviceAuthorization.userCode",
  "Query.licenceBySupportCode.code",
  "RecoveryCodes.codes",
  "TaxFigure.code",
  "WebhookAttempt.responseStatus",
]);
const openNames =
  /(postCode|licenceCode|supportCode|promoCode)$|^(\w*User\w*|RegisterInput|UpdateProfileInput|InvoiceDetailsInput|InvoiceBuyerInput|SuggestedAddress)\.state$/i;
const text = new Set(["String", "Int", "ID"]);

/** Finds all faults of a schema. */
export function measureContract(schema: GraphQLSchema): Readonly<Record<Fault, readonly string[]>> {
  const places = listPlaces(schema);
  const found: Record<Fault, string[]> = {
    "closed lists in prose": places.filter(isClosedList).map(({ coordinate }) => coordinate),
    "days and moments as text": places.filter(isTimeAsText).map(({ coordinate }) => coordinate),
    "undescribed places": places.filter(({ description }) => !description).map(({ coordinate }) => coordinate),
    "mutations that return a scalar": [],
    "further page shapes": [],
    "ids without their object": [],
  };
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {}))
    if (isLeafType(getNamedType(field.type))) found["mutations that return a scalar"].push(field.name);
  const shapes = new Map<string, string>();
  for (const type of listTypes(schema)) {
    if (!isObjectType(type) || type === schema.getQueryType() || type === schema.getMutationType()) continue;
    const fields = type.getFields();
    if (fields.rows && isListType(getNullableType(fields.rows.type)) && isObjectType(getNamedType(fields.rows.type))) {
      const shape = Object.values(fields).filter(({ name }) => name !== "rows" && pageFields.has(name));
      const key = shape.map(({ name, type: of }) => `${name}: ${String(of)}`).join(", ");
      // The latest rows without a way to others are no page.
      if (shape.length > 0) shapes.set(key, `${shapes.get(key) ?? ""} ${type.name}`);
    }
    for (const { name, type: of } of Object.values(fields)) {
      const subject = /^(\w+?)Ids?$/.exec(name)?.[1];
      if (subject === undefined || getNamedType(of).name !== "ID" || opaqueIds.has(`${type.name}.${name}`)) continue;
      const object = fields[subject] ?? fields[`${subject}s`];
      if (!object || !isObjectType(getNamedType(object.type)))
        found["ids without their object"].push(`${type.name}.${name}`);
    }
  }
  found["further page shapes"] = [...shapes].slice(1).map(([shape, types]) => `{${shape}} in${types}`);
  return found;
}

/** Fields by which a page says how much there is and how to go on. */
const pageFields = new Set([
  "total",
  "isCapped",
  "isTotalCapped",
  "exactTotal",
  "endCursor",
  "hasMore",
  "page",
  "pageSize",
  "totals",
]);

/** IDs of things without one type, and the key of `payInvoice` of an invoice that customers see as `MyInvoice`. */
const opaqueIds = new Set([
  "AuditEntry.subjectId",
  "MyInvoice.manualInvoiceId",
  "SearchHit.id",
  "WebhookDelivery.eventId",
]);

function isClosedList({ coordinate, name, type, description }: Place): boolean {
  if (!text.has(type) || openPlaces.has(coordinate) || openNames.test(coordinate)) return false;
  return (type !== "ID" && closedNames.test(name)) || listings.some((listing) => listing.test(description));
}

/** Returns whether a place is a day or a moment without the scalar `Date` or `DateTime`. */
function isTimeAsText({ name, type, description }: Place): boolean {
  return text.has(type) && (/([a-z]At|Date|Day|^date|[uU]ntil|Since)$/.test(name) || /YYYY/.test(description));
}

const listTypes = (schema: GraphQLSchema): GraphQLNamedType[] =>
  Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith("__") && !isSpecifiedScalarType(type));

function listPlaces(schema: GraphQLSchema): Place[] {
  return listTypes(schema).flatMap((type): Place[] => {
    const operations = type === schema.getQueryType() || type === schema.getMutationType();
    const own = { coordinate: type.name, name: "", type: "", description: operations ? "-" : (type.description ?? "") };
    if (isEnumType(type))
      return [
        own,
        ...type
          .getValues()
          .map((value) => ({ ...own, coordinate: `${type.name}.${value.name}`, description: value.description ?? "" })),
      ];
    if (!isObjectType(type) && !isInputObjectType(type)) return [own];
    const fields = Object.values(type.getFields()).flatMap((field) => {
      const coordinate = `${type.name}.${field.name}`;
      const place = { ...toPlace(field), coordinate };
      const args: readonly GraphQLArgument[] = "args" in field ? field.args : [];
      return [place, ...args.map((arg) => ({ ...toPlace(arg), coordinate: `${coordinate}.${arg.name}` }))];
    });
    return [own, ...fields];
  });
}

const toPlace = (place: { name: string; type: Parameters<typeof getNamedType>[0]; description?: string | null }) => ({
  name: place.name,
  type: getNamedType(place.type)?.name ?? "",
  description: place.description ?? "",
});

if (import.meta.main) {
  const faults = measureContract(buildSchema(readFileSync("schema/schema.graphql", "utf8")));
  for (const [fault, places] of Object.entries(faults)) {
    if (places.length > 0) process.exitCode = 1;
    process.stdout.write(`${places.length} ${fault}${places.map((place) => `\n    ${place}`).join("")}\n`);
  }
}
