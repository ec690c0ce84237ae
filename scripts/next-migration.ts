/**
 * Returns the name of a new migration: the number after the highest one in use, and its description. There are gaps between
 * the numbers, so counting isn't enough.
 * @param names names of all migrations
 * @param words description of the migration in kebab case
 * @throws Error if another migration has the same description, or all four-digit numbers are in use
 */
export function nextMigration(names: readonly string[], words: string): string {
  const namesake = names.find((name) => name.slice(5) === words);
  if (namesake) throw new Error(`The name ${words} is taken by ${namesake}. Choose another one.`);
  const number = String(Math.max(0, ...names.map((name) => Number(name.slice(0, 4)))) + 1).padStart(4, "0");
  if (number.length > 4) throw new Error("Migration numbers have four digits, and all of them are used.");
  return `${number}-${words}`;
}

/**
 * Returns the source of `api/migrations/index.ts` with a migration at the end of its newest ones that runs the statements of
 * `sql`.
 * @throws Error if the source doesn't have the expected format
 */
export function withMigration(index: string, name: string, sql: string): string {
  const statements = sql
    .split(/;\s*\n/)
    .map((statement) => statement.trim().replace(/;$/, ""))
    .filter(Boolean)
    .map((statement) => `    ${asTemplate(statement)},\n`)
    .join("");
  const words = name.slice(5).replaceAll("-", " ");
  const entry = `\n  /** ${words.charAt(0).toUpperCase()}${words.slice(1)}. */\n  "${name}": [\n${statements}  ],\n`;
  const start = index.indexOf("\nconst newest");
  const end = index.indexOf("\n};\n", start);
  if (start < 0 || end < 0) throw new Error("api/migrations/index.ts is not in the expected shape.");
  return `${index.slice(0, end + 1)}${entry}${index.slice(end + 1)}`;
}

function asTemplate(text: string): string {
  return `\`${text.replace(/[\\`]|\$\{/g, (found) => `\\${found}`)}\``;
}
