/**
 * Changes to the contract. Breaking changes break correct clients; dangerous ones may surprise clients that assumed too
 * much.
 */
export interface Changes {
  readonly breaking: string[];
  readonly dangerous: string[];
}

/** Direction of values: requests may only become more permissive, responses only more certain. */
export type Direction = "request" | "response";

/** A JSON schema as written in the document. */
export type Schema = Readonly<Record<string, unknown>>;

/** Resolves a `$ref`. */
export type Resolve = (schema: unknown) => Schema;

interface Compared {
  readonly released: Schema;
  readonly present: Schema;
  readonly at: string;
}

/** Compares two schemas for a client that relies on `released` while the server uses `present`. `at` is the place in messages. */
export function compareJsonSchemas(
  compared: { released: unknown; present: unknown; at: string },
  direction: Direction,
  resolves: { released: Resolve; present: Resolve },
): Changes {
  const found: Changes = { breaking: [], dangerous: [] };
  const inProgress = new Set<string>();
  const compare = (one: { released: unknown; present: unknown; at: string }): void => {
    const place = JSON.stringify([one.released, one.present]);
    // A recursive schema is already being compared.
    if (inProgress.has(place)) return;
    inProgress.add(place);
    const resolved = {
      released: resolveFully(one.released, resolves.released),
      present: resolveFully(one.present, resolves.present),
      at: one.at,
    };
    if (getAlternatives(resolved.released) || getAlternatives(resolved.present)) compareAlternatives(resolved);
    else {
      compareTypes(resolved, direction, found);
      compareValues(resolved, direction, found);
      if (direction === "request") compareBounds(resolved, found);
      compareProperties(resolved);
      if (resolved.released.items !== undefined && resolved.present.items !== undefined)
        compare({ released: resolved.released.items, present: resolved.present.items, at: `${one.at}[]` });
    }
    inProgress.delete(place);
  };

  /** Checks that every possible alternative was allowed before. */
  const compareAlternatives = ({ released, present, at }: Compared): void => {
    const before = getAlternatives(released) ?? [released];
    const now = getAlternatives(present) ?? [present];
    const [coming, foreseen] = direction === "request" ? [before, now] : [now, before];
    const fits = (one: unknown, other: unknown) => {
      const [was, is] = direction === "request" ? [one, other] : [other, one];
      return compareJsonSchemas({ released: was, present: is, at }, direction, resolves).breaking.length === 0;
    };
    for (const one of coming)
      if (!foreseen.some((other) => fits(one, other)))
        found.breaking.push(
          direction === "request"
            ? `${at} no longer accepts one of its alternatives`
            : `${at} may have a new alternative`,
        );
  };

  const compareProperties = ({ released, present, at }: Compared): void => {
    const [before, now] = [getProperties(released), getProperties(present)];
    const [requiredBefore, requiredNow] = [getRequired(released), getRequired(present)];
    for (const [name, schema] of Object.entries(before)) {
      const next = now[name];
      if (next === undefined) {
        found.breaking.push(`${at}.${name} was removed`);
        continue;
      }
      compare({ released: schema, present: next, at: `${at}.${name}` });
      if (direction === "response" && requiredBefore.includes(name) && !requiredNow.includes(name))
        found.breaking.push(`${at}.${name} may be missing`);
    }
    if (direction === "response") return;
    for (const name of requiredNow)
      if (!requiredBefore.includes(name)) found.breaking.push(`${at}.${name} is now required`);
    if (present.additionalProperties === false && released.additionalProperties !== false)
      found.breaking.push(`${at} no longer accepts additional fields`);
  };

  compare(compared);
  return found;
}

/** Resolves references and merges `allOf`. */
function resolveFully(schema: unknown, resolve: Resolve): Schema {
  const { allOf, ...own } = resolve(schema);
  if (!Array.isArray(allOf)) return own;
  return allOf
    .map((part) => resolveFully(part, resolve))
    .reduce<Schema>(
      (sum, part) => ({
        ...sum,
        ...part,
        properties: { ...getProperties(sum), ...getProperties(part) },
        required: [...getRequired(sum), ...getRequired(part)],
      }),
      own,
    );
}

function compareTypes({ released, present, at }: Compared, direction: Direction, found: Changes): void {
  const [before, now] = [getTypes(released), getTypes(present)];
  const [coming, foreseen] = direction === "request" ? [before, now] : [now, before];
  if (!foreseen) return;
  const unforeseen = coming?.filter(
    (type) => !foreseen.includes(type) && !(type === "integer" && foreseen.includes("number")),
  );
  if (unforeseen?.length === 0) return;
  found.breaking.push(`${at} was ${before?.join(" or ") ?? "anything"} and is ${now?.join(" or ") ?? "anything"}`);
}

function compareValues({ released, present, at }: Compared, direction: Direction, found: Changes): void {
  const [before, now] = [getValues(released), getValues(present)];
  if (direction === "request") {
    if (now && !before) found.breaking.push(`${at} accepts only ${now.join(", ")}`);
    const rejected = before && now ? before.filter((value) => !now.includes(value)) : [];
    if (rejected.length > 0) found.breaking.push(`${at} no longer accepts ${rejected.join(", ")}`);
    return;
  }
  if (before && !now) found.dangerous.push(`${at} is no longer one of ${before.join(", ")}`);
  const added = before && now ? now.filter((value) => !before.includes(value)) : [];
  if (added.length > 0) found.dangerous.push(`${at} may be ${added.join(", ")}`);
  if (released.format !== undefined && present.format !== released.format)
    found.breaking.push(
      `${at} was a ${formatValue(released.format)} and is ${formatValue(present.format, "any text")}`,
    );
}

const lowest = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const highest = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const exact = ["pattern", "format", "multipleOf", "uniqueItems", "contentEncoding"];

/** Checks that the constraints of a request don't get tighter. */
function compareBounds({ released, present, at }: Compared, found: Changes): void {
  for (const name of [...lowest, ...highest]) {
    const [before, now] = [released[name], present[name]];
    if (typeof now !== "number") continue;
    const isNarrower = typeof before !== "number" || (lowest.includes(name) ? now > before : now < before);
    if (isNarrower) found.breaking.push(`${at} has ${name} ${now}, and had ${formatValue(before)}`);
  }
  for (const name of exact)
    if (present[name] !== undefined && present[name] !== released[name] && present[name] !== false)
      found.breaking.push(`${at} has ${name} ${formatValue(present[name])}, and had ${formatValue(released[name])}`);
}

/** Formats a keyword's value for messages. */
function formatValue(value: unknown, otherwise = "none"): string {
  if (value === undefined) return otherwise;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function getAlternatives({ anyOf, oneOf }: Schema): unknown[] | undefined {
  const list = anyOf ?? oneOf;
  return Array.isArray(list) ? (list as unknown[]) : undefined;
}

function getTypes({ type }: Schema): string[] | undefined {
  return type === undefined ? undefined : ([type].flat() as string[]);
}

function getValues({ const: only, enum: several }: Schema): string[] | undefined {
  const values = only === undefined ? several : [only];
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : undefined;
}

function getProperties({ properties }: Schema): Readonly<Record<string, unknown>> {
  return (properties ?? {}) as Record<string, unknown>;
}

function getRequired({ required }: Schema): string[] {
  return Array.isArray(required) ? (required as string[]) : [];
}
