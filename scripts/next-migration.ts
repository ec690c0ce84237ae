/** A migration to be created: its number, file and constant. */
export interface NextMigration {
  /** Four digits. */
  readonly number: string;
  /** Name of the file without its extension, as recorded in `mikro_orm_migrations`. */
  readonly name: string;
  /** Name of its constant. */
  readonly constant: string;
}

/**
 * Returns the number after the highest one in use, and the names derived from it. There are gaps between the numbers,
 * so counting the files isn't enough.
 * @param files names of the files in the migrations folder
 * @param words description of the migration in kebab case
 * @throws Error if another migration has the same description, or all four-digit numbers are in use
 */
export function nextMigration(files: readonly string[], words: string): NextMigration {
  const existing = files.flatMap((file) => {
    const [, number, rest] = /^(\d{4})-(.+)\.ts$/.exec(file) ?? [];
    return number && rest ? [{ file, number: Number(number), words: rest }] : [];
  });
  const namesake = existing.find((one) => one.words === words);
  if (namesake) throw new Error(`The name ${words} is taken by ${namesake.file}. Choose another one.`);
  const number = String(Math.max(0, ...existing.map((one) => one.number)) + 1).padStart(4, "0");
  if (number.length > 4) throw new Error("Migration numbers have four digits, and all of them are used.");
  return { number, name: `${number}-${words}`, constant: `Migration${number}` };
}

/** Returns the source of a migration that runs the statements of `sql`. */
export function migrationSource({ name, constant }: NextMigration, words: string, sql: string): string {
  const statements = sql
    .split(/;\s*\n/)
    .map((statement) => statement.trim().replace(/;$/, ""))
    .filter(Boolean)
    .map((statement) => `  ${asTemplate(statement)},`)
    .join("\n");
  const title = `${words.charAt(0).toUpperCase()}${words.slice(1).replaceAll("-", " ")}.`;
  return `import { defineMigration } from "#api/platform/database/define-migration.ts";\n\n/** ${title} */\nexport const ${constant} = defineMigration("${name}", [\n${statements}\n]);\n`;
}

/**
 * Returns the source of `api/migrations/index.ts` with the migration added at the end of its imports and of its list.
 * @throws Error if the source doesn't have the expected format, or already lists the number
 */
export function withMigration(index: string, { name, number, constant }: NextMigration): string {
  if (new RegExp(`["'/]${number}-`).test(index)) throw new Error(`api/migrations/index.ts already lists ${number}.`);
  const imports = [...index.matchAll(/^import .*;$/gm)];
  const last = imports.at(-1);
  if (!last || !/\n\];\s*$/.test(index)) throw new Error("api/migrations/index.ts is not in the expected shape.");
  const end = last.index + last[0].length;
  const imported = `${index.slice(0, end)}\nimport { ${constant} } from "./${name}.ts";${index.slice(end)}`;
  return imported.replace(/\n\];\s*$/, `\n  ${constant},\n];\n`);
}

function asTemplate(text: string): string {
  return `\`${text.replace(/[\\`]|\$\{/g, (found) => `\\${found}`)}\``;
}
