/** Turns the OpenAPI document of `/v1` into the model of the reference page at /v1/docs. */
import { toAnchor } from "../render-markdown.ts";
import { findExample } from "./build-example.ts";
import type { Media, OpenApi, Operation, Response, Schema } from "./openapi-types.ts";
import {
  type Field,
  listFields,
  getSchemaName,
  describeRules,
  type Shapes,
  type TypeWords,
  describeType,
} from "./schema-fields.ts";

/** States whether a call needs a signed-in user. */
export type Access = "open" | "signedIn";

export interface Call {
  /** Anchor in the page, such as `post-v1-licence-activate`. */
  readonly id: string;
  /** HTTP method in capitals. */
  readonly method: string;
  /** Path with `{names}` for parameters. */
  readonly path: string;
  readonly title: string;
  /** Description without the title. */
  readonly text: string;
  readonly who: string;
  /** Scope that a personal access token needs, `session`, `open`, or null if the document has none. */
  readonly scope: string | null;
  readonly access: Access;
  readonly deprecated: boolean;
  /** True if the call changes data: for every method except GET, and for a GET that does the same as a POST. */
  readonly changes: boolean;
  readonly parameters: readonly ParameterField[];
  readonly bodies: readonly Content[];
  readonly responses: readonly ApiResponse[];
  readonly errors: readonly ApiResponse[];
}

export interface ParameterField extends Field {
  /** `path`, `query` or `header`. */
  readonly place: string;
  readonly example: unknown;
}

/** A body of one content type. */
export interface Content {
  readonly type: string;
  readonly words: TypeWords;
  readonly rules: readonly string[];
  readonly fields: readonly Field[];
  readonly example: unknown;
}

export interface ApiResponse {
  /** Status code, or `default` for all others. */
  readonly status: string;
  readonly text: string;
  /** Response headers with their descriptions. */
  readonly headers: readonly { readonly name: string; readonly text: string }[];
  /** Undefined if there is no body. */
  readonly content: Content | undefined;
}

export interface Group {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly calls: readonly Call[];
}

/** An object that several calls share. */
export interface SharedShape {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly fields: readonly Field[];
}

export interface Reference {
  readonly groups: readonly Group[];
  readonly shapes: readonly SharedShape[];
}

/** Maximum length of a title in characters. A longer title is cut at its first comma. */
const LONGEST_TITLE = 72;

const METHODS = ["get", "post", "put", "patch", "delete"];

/** Groups that come first, in this order. Other groups follow in the document's order. */
const order = ["Signing in", "Accounts", "Passwords", "Licences", "Add-in", "Software", "Trial", "Subscriptions"];

/** Reads a document into groups of calls and shared objects. */
export function readReference(document: OpenApi): Reference {
  const schemas = document.components?.schemas ?? {};
  const uses = countUses(document);
  const shapes: Shapes = { named: schemas, isListed: (name) => (uses.get(name) ?? 0) > 1 && isObject(schemas[name]) };
  const calls = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation
        ? [{ tag: operation.tags?.[0] ?? "Other", call: readCall(document, shapes, path, method, operation) }]
        : [];
    }),
  );
  const posts = new Map(calls.filter(({ call }) => call.method === "POST").map(({ call }) => [call.path, call]));
  const names = [...new Set([...(document.tags ?? []).map(({ name }) => name), ...calls.map(({ tag }) => tag)])];
  const groups = names
    .toSorted((one, other) => getRank(one) - getRank(other))
    .map((name) => ({
      id: `calls-${toAnchor(name)}`,
      name,
      text: document.tags?.find((tag) => tag.name === name)?.description ?? "",
      calls: calls.filter(({ tag }) => tag === name).map(({ call }) => nameAfterTwin(call, posts)),
    }))
    .filter((group) => group.calls.length > 0);
  const listed = Object.entries(schemas)
    .filter(([name]) => shapes.isListed(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    groups,
    shapes: listed.map(([name, schema]) => ({
      id: `object-${toAnchor(name.replace(/([a-z])([A-Z])/g, "$1-$2"))}`,
      name,
      text: schema.description ?? "",
      fields: listFields(schema, shapes),
    })),
  };
}

function getRank(group: string): number {
  const place = order.indexOf(group);
  return place < 0 ? order.length : place;
}

const isObject = (schema: Schema | undefined): boolean => Boolean(schema?.properties ?? schema?.allOf);

/** Counts the references to each schema. */
function countUses(document: OpenApi): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const [, name = ""] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g))
    uses.set(name, (uses.get(name) ?? 0) + 1);
  return uses;
}

function readCall(document: OpenApi, shapes: Shapes, path: string, method: string, operation: Operation): Call {
  const { title, rest } = splitSummary(operation.summary ?? path);
  const answers = Object.entries(operation.responses ?? {}).map(([status, response]) =>
    readResponse(document, shapes, status, response),
  );
  return {
    id: `${method}${path.replaceAll(/[^a-z0-9]+/gi, "-")}`.toLowerCase().replace(/-+$/, ""),
    method: method.toUpperCase(),
    path,
    title,
    text: rest,
    // The description of a call says who may use it; `x-who` contains the same in machine-readable form.
    who: operation.description ?? "",
    scope: operation["x-scope"] ?? null,
    access: operation.security?.some((one) => Object.keys(one).length > 0) ? "signedIn" : "open",
    deprecated: operation.deprecated === true,
    changes: method !== "get",
    parameters: (operation.parameters ?? []).map((parameter) => ({
      name: parameter.name,
      place: parameter.in,
      depth: 0,
      type: describeType(parameter.schema ?? {}, shapes),
      required: parameter.required === true,
      deprecated: parameter.deprecated === true,
      rules: describeRules(parameter.schema ?? {}, shapes),
      text: parameter.description ?? parameter.schema?.description ?? "",
      example: parameter.example ?? parameter.schema?.example ?? parameter.schema?.examples?.[0],
    })),
    bodies: readContents(operation.requestBody?.content, shapes),
    responses: answers.filter(({ status }) => /^[23]/.test(status)),
    errors: answers.filter(({ status }) => !/^[23]/.test(status)).toSorted((a, b) => (a.status < b.status ? -1 : 1)),
  };
}

/** Splits a summary into a title and a text: "Update a user; with `revision` …" has the title "Update a user". */
export function splitSummary(summary: string): { title: string; rest: string } {
  const found =
    /^(.{3,80}?\?) (.*)$/s.exec(summary) ??
    /^([^(]{3,80}?)(?:; |: |\. | \((?=[^)]*\)\.?$))(.*)$/s.exec(summary) ??
    (summary.length > LONGEST_TITLE ? /^(.{3,80}?)(?:, |; )(.*)$/s.exec(summary) : null);
  const [, title = summary, rest = ""] = found ?? [];
  const isBracket = rest.endsWith(")") && !rest.includes("(");
  const sentence = (isBracket ? rest.slice(0, -1) : rest).replace(/^[a-z]/, (first) => first.toUpperCase());
  return { title: title.replace(/\.$/, ""), rest: sentence && !/[.!?]$/.test(sentence) ? `${sentence}.` : sentence };
}

/** Gives a GET that does the same as a POST the title of that POST. */
function nameAfterTwin(call: Call, posts: ReadonlyMap<string, Call>): Call {
  const twin = call.method === "GET" ? posts.get(call.path) : undefined;
  return twin ? { ...call, changes: true, title: `${twin.title}, by GET`, text: `${call.title}. ${call.text}` } : call;
}

function readResponse(document: OpenApi, shapes: Shapes, status: string, response: Response): ApiResponse {
  const known = response.$ref?.replace("#/components/responses/", "");
  const whole = known === undefined ? response : { ...document.components?.responses?.[known], ...response };
  const [content] = readContents(whole.content, shapes);
  return {
    status,
    text: whole.description ?? "",
    headers: Object.entries(whole.headers ?? {}).map(([name, { description = "" }]) => ({ name, text: description })),
    content,
  };
}

function readContents(content: Readonly<Record<string, Media>> | undefined, shapes: Shapes): readonly Content[] {
  return Object.entries(content ?? {}).map(([type, media]) => {
    const { schema = {} } = media;
    const name = getSchemaName(schema) ?? (schema.items && getSchemaName(schema.items));
    const isListed = typeof name === "string" && shapes.isListed(name);
    return {
      type,
      words: /json/.test(type) ? describeNamedType(schema, shapes) : { text: /multipart/.test(type) ? "form" : "file" },
      rules: describeRules(schema, shapes),
      // Shared objects are linked instead of repeated.
      fields: isListed ? [] : listFields(schema, shapes),
      example: findExample(media, shapes),
    };
  });
}

/**
 * Returns the type with the schema's name, even if the schema's fields are listed with the call instead of with the
 * shared objects.
 */
function describeNamedType(schema: Schema, shapes: Shapes): TypeWords {
  const words = describeType(schema, shapes);
  const name = getSchemaName(schema) ?? (schema.items && getSchemaName(schema.items));
  return typeof name === "string" ? { ...words, text: words.text.replace(/\bobject\b/, name) } : words;
}
