import { createHash } from "node:crypto";
import { stringify } from "yaml";

/** Values that a template reads, such as `Values` and `Release`. */
export type HelmValues = Readonly<Record<string, unknown>>;

type Scope = { readonly root: HelmValues; readonly variables: Readonly<Record<string, unknown>> };

interface Node {
  readonly kind: "text" | "value" | "if" | "range";
  readonly text: string;
  readonly children: Node[];
}

/**
 * Renders Helm templates of the kind this repository uses: values, pipelines, `include`, `if` and `range`. Helm itself can't be
 * installed with npm. An unknown function is an error, so the templates can't outgrow it unnoticed.
 */
export function renderHelm(templates: readonly string[], root: HelmValues): string[] {
  const parts = new Map<string, string>();
  const bodies = templates.map((template) =>
    template.replaceAll(
      /\{\{-? define "([\w.]+)" -?\}\}\n?([\s\S]*?)\n?\{\{-? end -?\}\}\n?/g,
      (_, name: string, body: string) => {
        parts.set(name, body);
        return "";
      },
    ),
  );
  const render = (text: string): string =>
    renderNodes(parse(text), { root, variables: {} }, (name) => render(parts.get(name) ?? ""));
  return bodies.map(render);
}

function parse(text: string): Node[] {
  // A dash removes the white space next to it.
  const tokens = text
    .replaceAll(/\s*\{\{-/g, "{{")
    .replaceAll(/-\}\}\s*/g, "}}")
    .split(/(\{\{.*?\}\})/);
  const root: Node[] = [];
  const open: Node[][] = [root];
  for (const token of tokens) {
    const code = /^\{\{\s*(.*?)\s*\}\}$/.exec(token)?.[1];
    const into = open.at(-1) ?? root;
    if (code === undefined) into.push({ kind: "text", text: token, children: [] });
    else if (code === "end") open.pop();
    else {
      const [, kind, rest = ""] = /^(if|range) (.*)$/.exec(code) ?? [];
      const node: Node = { kind: (kind ?? "value") as Node["kind"], text: kind ? rest : code, children: [] };
      into.push(node);
      if (kind) open.push(node.children);
    }
  }
  if (open.length !== 1) throw new Error("A block of the template isn't closed.");
  return root;
}

function renderNodes(nodes: readonly Node[], scope: Scope, include: (name: string) => string): string {
  return nodes
    .map(({ kind, text, children }) => {
      if (kind === "text") return text;
      if (kind === "if") return evaluate(text, scope, include) ? renderNodes(children, scope, include) : "";
      if (kind === "value") return String(evaluate(text, scope, include));
      const [, key = "", value = "", list = ""] = /^(\$\w+), (\$\w+) := (.*)$/.exec(text) ?? [];
      return Object.entries(evaluate(list, scope, include) as object)
        .map(([name, one]) => renderNodes(children, { ...scope, variables: { [key]: name, [value]: one } }, include))
        .join("");
    })
    .join("");
}

function evaluate(pipeline: string, scope: Scope, include: (name: string) => string): unknown {
  return pipeline.split("|").reduce<unknown>((piped, step, index) => {
    const words = [...step.trim().matchAll(/"[^"]*"|\S+/g)].map(([word]) => word);
    const [first = "", ...rest] = words;
    const args = rest.map((word) => readOperand(word, scope));
    if (index > 0) args.push(piped);
    if (first === ".Files.Get") return (scope.root.Files as (path: string) => string)(String(args[0]));
    if (/^["$.\d]/.test(first)) return readOperand(first, scope);
    if (first === "include") return include(String(args[0]));
    const apply = functions[first];
    if (!apply) throw new Error(`The template function ${first} is unknown.`);
    return apply(...args);
  }, undefined);
}

function readOperand(word: string, { root, variables }: Scope): unknown {
  if (word.startsWith('"')) return word.slice(1, -1);
  if (word.startsWith("$")) return variables[word];
  if (/^\d+$/.test(word)) return Number(word);
  return word
    .split(".")
    .filter(Boolean)
    .reduce<unknown>((from, key) => (from as Record<string, unknown> | undefined)?.[key], root);
}

const functions: Readonly<Record<string, (...args: unknown[]) => unknown>> = {
  nindent: (spaces, text) => `\n${String(text).replaceAll(/^/gm, " ".repeat(Number(spaces)))}`,
  quote: (value) => JSON.stringify(String(value)),
  default: (fallback, value) => value || fallback,
  toYaml: (value) => stringify(value).trimEnd(),
  toJson: (value) => JSON.stringify(value),
  sha256sum: (value) => createHash("sha256").update(String(value)).digest("hex"),
};
