/** What a change to the contract is: it fails a client that was right, or it may surprise one that trusted too much. */
export interface Changes {
  readonly breaking: string[];
  readonly dangerous: string[];
}

/** Which way values go: a request may only become more welcoming, an answer only more certain. */
export type Direction = "request" | "answer";

/** A JSON schema as the document writes it. */
export type Schema = Readonly<Record<string, unknown>>;

/** Finds what `$ref` names. */
export type Resolve = (schema: unknown) => Schema;

interface Compared {
  readonly released: Schema;
  readonly present: Schema;
  readonly at: string;
}

/** What a client would meet that keeps to `released` while the server keeps to `present`; `at` says where, for people. */
export function schemaChanges(
  compared: { released: unknown; present: unknown; at: string },
  direction: Direction,
  resolves: { released: Resolve; present: Resolve },
): Changes {
  const found: Changes = { breaking: [], dangerous: [] };
  const underWay = new Set<string>();
  const compare = (one: { released: unknown; present: unknown; at: string }): void => {
    const place = JSON.stringify([one.released, one.present]);
    // A schema that holds itself has been looked at already.
    if (underWay.has(place)) return;
    underWay.add(place);
    const resolved = {
      released: whole(one.released, resolves.released),
      present: whole(one.present, resolves.present),
      at: one.at,
    };
    if (alternativesOf(resolved.released) || alternativesOf(resolved.present)) compareAlternatives(resolved);
    else {
      compareTypes(resolved, direction, found);
      compareValues(resolved, direction, found);
      if (direction === "request") compareBounds(resolved, found);
      compareProperties(resolved);
      if (resolved.released.items !== undefined && resolved.present.items !== undefined)
        compare({ released: resolved.released.items, present: resolved.present.items, at: `${one.at}[]` });
    }
    underWay.delete(place);
  };

  /** Each alternative that may come must be one that was foreseen. */
  const compareAlternatives = ({ released, present, at }: Compared): void => {
    const before = alternativesOf(released) ?? [released];
    const now = alternativesOf(present) ?? [present];
    const [coming, foreseen] = direction === "request" ? [before, now] : [now, before];
    const fits = (one: unknown, other: unknown) => {
      const [was, is] = direction === "request" ? [one, other] : [other, one];
      return schemaChanges({ released: was, present: is, at }, direction, resolves).breaking.length === 0;
    };
    for (const one of coming)
      if (!foreseen.some((other) => fits(one, other)))
        found.breaking.push(
          direction === "request" ? `${at} no longer takes one of its forms` : `${at} may have a form it had not`,
        );
  };

  const compareProperties = ({ released, present, at }: Compared): void => {
    const [before, now] = [propertiesOf(released), propertiesOf(present)];
    const [asked, asks] = [requiredOf(released), requiredOf(present)];
    for (const [name, schema] of Object.entries(before)) {
      const next = now[name];
      if (next === undefined) {
        found.breaking.push(`${at}.${name} is gone`);
        continue;
      }
      compare({ released: schema, present: next, at: `${at}.${name}` });
      if (direction === "answer" && asked.includes(name) && !asks.includes(name))
        found.breaking.push(`${at}.${name} may be missing`);
    }
    if (direction === "answer") return;
    for (const name of asks) if (!asked.includes(name)) found.breaking.push(`${at}.${name} has become required`);
    if (present.additionalProperties === false && released.additionalProperties !== false)
      found.breaking.push(`${at} no longer takes further fields`);
  };

  compare(compared);
  return found;
}

/** A schema with what its references and `allOf` say of it. */
function whole(schema: unknown, resolve: Resolve): Schema {
  const { allOf, ...own } = resolve(schema);
  if (!Array.isArray(allOf)) return own;
  return allOf
    .map((part) => whole(part, resolve))
    .reduce<Schema>(
      (sum, part) => ({
        ...sum,
        ...part,
        properties: { ...propertiesOf(sum), ...propertiesOf(part) },
        required: [...requiredOf(sum), ...requiredOf(part)],
      }),
      own,
    );
}

function compareTypes({ released, present, at }: Compared, direction: Direction, found: Changes): void {
  const [before, now] = [typesOf(released), typesOf(present)];
  const [coming, foreseen] = direction === "request" ? [before, now] : [now, before];
  if (!foreseen) return;
  const unforeseen = coming?.filter(
    (type) => !foreseen.includes(type) && !(type === "integer" && foreseen.includes("number")),
  );
  if (unforeseen?.length === 0) return;
  found.breaking.push(`${at} was ${before?.join(" or ") ?? "anything"} and is ${now?.join(" or ") ?? "anything"}`);
}

function compareValues({ released, present, at }: Compared, direction: Direction, found: Changes): void {
  const [before, now] = [valuesOf(released), valuesOf(present)];
  if (direction === "request") {
    if (now && !before) found.breaking.push(`${at} takes only ${now.join(", ")}`);
    const refused = before && now ? before.filter((value) => !now.includes(value)) : [];
    if (refused.length > 0) found.breaking.push(`${at} no longer takes ${refused.join(", ")}`);
    return;
  }
  if (before && !now) found.dangerous.push(`${at} is no longer one of ${before.join(", ")}`);
  const added = before && now ? now.filter((value) => !before.includes(value)) : [];
  if (added.length > 0) found.dangerous.push(`${at} may be ${added.join(", ")}`);
  if (released.format !== undefined && present.format !== released.format)
    found.breaking.push(`${at} was a ${shown(released.format)} and is ${shown(present.format, "any text")}`);
}

const lowest = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const highest = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const exact = ["pattern", "format", "multipleOf", "uniqueItems", "contentEncoding"];

/** What a request may say must not become less. */
function compareBounds({ released, present, at }: Compared, found: Changes): void {
  for (const name of [...lowest, ...highest]) {
    const [before, now] = [released[name], present[name]];
    if (typeof now !== "number") continue;
    const isNarrower = typeof before !== "number" || (lowest.includes(name) ? now > before : now < before);
    if (isNarrower) found.breaking.push(`${at} has ${name} ${now}, and had ${shown(before)}`);
  }
  for (const name of exact)
    if (present[name] !== undefined && present[name] !== released[name] && present[name] !== false)
      found.breaking.push(`${at} has ${name} ${shown(present[name])}, and had ${shown(released[name])}`);
}

/** A keyword's value, for people. */
function shown(value: unknown, otherwise = "none"): string {
  if (value === undefined) return otherwise;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function alternativesOf({ anyOf, oneOf }: Schema): unknown[] | undefined {
  const list = anyOf ?? oneOf;
  return Array.isArray(list) ? (list as unknown[]) : undefined;
}

function typesOf({ type }: Schema): string[] | undefined {
  return type === undefined ? undefined : ([type].flat() as string[]);
}

function valuesOf({ const: only, enum: several }: Schema): string[] | undefined {
  const values = only === undefined ? several : [only];
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : undefined;
}

function propertiesOf({ properties }: Schema): Readonly<Record<string, unknown>> {
  return (properties ?? {}) as Record<string, unknown>;
}

function requiredOf({ required }: Schema): string[] {
  return Array.isArray(required) ? (required as string[]) : [];
}
