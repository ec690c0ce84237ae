/**
 * Generates the files of a noun that belongs to a user and is edited by staff, and adds it to every list of nouns (`npm
 * run new -- noun <area> <name>`). A developer then changes its fields, texts and rules.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pluralize from "pluralize";
import { areas } from "../lint/areas.mjs";
import { bin, root, run, typescript } from "../runtime.mjs";

// A noun writes to the audit log and belongs to a user, so its area is above both.
const open = areas.slice(areas.findIndex(({ name }) => name === "audit") + 1).map(({ name }) => name);

/** Paths and templates of the files of a noun. */
const files = readFileSync(join(import.meta.dirname, "noun.hbs"), "utf8")
  .split(/^=== /m)
  .slice(1)
  .map((part) => /^(.+)\n([^]*)$/.exec(part).slice(1));

/** Lists of nouns: the file, the text before which to insert, and the line to insert. */
const lists = [
  ["api/app/entities.ts", ["\nexport", '\nexport * from "#api/{{area}}/{{kebabs}}/{{kebab}}.entity.ts";']],
  ["api/app/resolvers.ts", ["\nexport", '\nexport * from "#api/{{area}}/{{kebabs}}/{{kebab}}.resolver.ts";']],
  [
    "api/audit/change-log/audit-actions.ts",
    [
      "\n} as const;",
      `
  "add-{{kebab}}": "Added {{a}}",
  "update-{{kebab}}": "Updated {{a}}",
  "delete-{{kebab}}": "Deleted {{a}}",`,
    ],
    ["\n});", '\n  {{CODE}}: ["{{kebab}}", "{{Words}}", "{{A}} of a user."],'],
  ],
  [
    "api/privacy/personal-data.ts",
    ["\nimport", '\nimport { {{camel}}Data } from "#api/{{area}}/{{kebabs}}/personal-data.ts";'],
    ["\n  platformData,\n", "\n  {{camel}}Data,"],
  ],
  [
    "api/v1/routes.ts",
    ["\nimport", '\nimport { {{camel}}Routes } from "#api/{{area}}/{{kebabs}}/{{kebab}}.resolver.ts";'],
    ["\n];\n", "\n  ...{{camel}}Routes,"],
  ],
  ["api/v1/openapi.ts", ['\n  Contact: "', '\n  "{{Plural}}": "The {{plural}} of a user.",']],
  [
    "schema/audit.ts",
    ["\nimport", '\nimport { {{camel}}Fields } from "./{{kebab}}.ts";'],
    ["\n} satisfies Readonly<Record<string, Fields>>", '\n  "{{kebab}}": {{camel}}Fields,'],
  ],
  [
    "tests/app/permissions/foreign-resources.ts",
    ['\n  "GET /v1/users/:id",', '\n  "GET /v1/users/:userId/{{kebabs}}",\n  "POST /v1/users/:userId/{{kebabs}}",'],
    ["`;\nconst sharedMutations", " {{camels}}"],
    ["`;\nconst readNames", " add{{Pascal}} update{{Pascal}} delete{{Pascal}}"],
  ],
];

/** @param {import("plop").NodePlopAPI} plop */
export default function generators(plop) {
  plop.setGenerator("noun", {
    description: "A noun that belongs to a user and is edited by staff",
    prompts: [
      { name: "area", type: "list", message: "Area", choices: open },
      { name: "name", message: "Name in the singular, such as seat-note", validate: checkName },
    ],
    actions: ({ area, name }) => {
      const words = spellNoun(area, name);
      const folder = `api/${area}/${words.kebabs}`;
      if (existsSync(join(root, folder))) throw new Error(`${folder}/ exists. Choose another name.`);
      const fill = (template) => template.replace(/\{\{(\w+)\}\}/g, (_match, word) => words[word]);
      const written = files.map(([path, template]) => ({
        type: "add",
        path: join(root, fill(path)),
        template,
        data: words,
      }));
      const listed = lists.flatMap(([path, ...lines]) =>
        lines.map(([before, line]) => ({
          type: "modify",
          path: join(root, path),
          transform: (text) => insertBefore(path, text, before, fill(line)),
        })),
      );
      return [...written, ...listed, ...finish(words)];
    },
  });
}

/** @returns {true | string} true, or a message for an invalid name */
function checkName(name) {
  if (!/^[a-z]+(-[a-z]+)*$/.test(name)) return "Name the noun in lower case with hyphens, such as seat-note.";
  return pluralize.isSingular(name) || `Use the singular: ${pluralize.singular(name)}.`;
}

/** Returns the spellings of a noun that the templates use. */
function spellNoun(area, kebab) {
  const kebabs = pluralize(kebab);
  const toCamel = (text) => text.replace(/-(.)/g, (_match, letter) => letter.toUpperCase());
  const capitalise = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const a = `${/^[aeiou]/.test(kebab) ? "an" : "a"} ${kebab.replaceAll("-", " ")}`;
  const plural = kebabs.replaceAll("-", " ");
  return {
    area,
    kebab,
    kebabs,
    camel: toCamel(kebab),
    camels: toCamel(kebabs),
    Pascal: capitalise(toCamel(kebab)),
    Pascals: capitalise(toCamel(kebabs)),
    snakes: kebabs.replaceAll("-", "_"),
    CODE: kebab.replaceAll("-", "_").toUpperCase(),
    words: kebab.replaceAll("-", " "),
    Words: capitalise(kebab.replaceAll("-", " ")),
    plural,
    Plural: capitalise(plural),
    a,
    A: capitalise(a),
  };
}

/** Inserts a line before the last occurrence of `before`. @throws Error if the file doesn't contain it */
function insertBefore(path, text, before, line) {
  const at = text.lastIndexOf(before);
  if (at < 0) throw new Error(`${path} has no ${JSON.stringify(before)} to insert before (scripts/new/plopfile.mjs).`);
  return text.slice(0, at) + line + text.slice(at);
}

/** Writes the migration and the generated files, and formats all of them. */
function finish({ kebabs }) {
  const steps = {
    migration: [...typescript, "scripts/create-migration.ts", `add-${kebabs}`],
    "generated files": [...typescript, "scripts/generate.ts"],
    "types of operations": [bin("@graphql-codegen/cli", "graphql-codegen"), "--config", "codegen.yml"],
    "table of personal data": [bin("vitest"), "run", "--update=all", "tests/privacy/erasure/personal-data.api.test.ts"],
    format: [bin("@biomejs/biome"), "format", "--write", "."],
  };
  return Object.entries(steps).map(([name, args]) => async () => {
    const { code, output } = await run(args);
    if (code !== 0) throw new Error(output);
    return name;
  });
}
