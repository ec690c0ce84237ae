/**
 * Checks the English of documents, site content, and comments in style sheets and configuration files: plain words,
 * sentence length, terms and dead links. The lint rules `house/prose` and `house/names` check comments, test names,
 * texts and names in code. `node scripts/check-prose.mjs FILE...` checks only the given files.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { exceptions } from "./lint/prose-exceptions.mjs";
import { commentsIn, wordFaults } from "./lint/prose.mjs";
import { bin, productNode, root } from "./runtime.mjs";

const isDocument = /\.md$/;
const hasComments = /\.(css|yml|graphql|gql|html|hbs|lua|sh)$|(^|\/)(Dockerfile|\.env\.example|\.ci\/run)$/;
const isWrittenByTools = /^(schema\/(released|schema\.graphql)|tests\/app\/golden|web\/generated)/;

const chosen = process.argv.slice(2);
const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
});
const files = (chosen.length > 0 ? chosen : tracked.trim().split("\n")).filter(
  (file) => !isWrittenByTools.test(file) && !exceptions.some((exception) => file.startsWith(exception.files)),
);

const documents = files.filter((file) => isDocument.test(file));
let failed = documents.length > 0 && !lintDocuments(documents);
for (const file of files.filter((name) => hasComments.test(name))) {
  for (const { line, text } of commentsIn(file, readFileSync(join(root, file), "utf8"))) {
    for (const fault of wordFaults(text)) {
      process.stdout.write(`${file}:${line} ${fault}\n`);
      failed = true;
    }
  }
}
const words = wordsIn(documents.filter((file) => file.startsWith("docs/")));
process.stdout.write(
  `${documents.length} documents, ${words.toLocaleString("en-AU")} words in docs/, ${exceptions.length} exceptions\n`,
);
process.exit(failed ? 1 : 0);

/** Runs textlint and prints its findings. Returns true if there were none. */
function lintDocuments(names) {
  const rules = ["--rulesdir", "scripts/lint/textlint", "--format", "unix"];
  try {
    execFileSync(productNode(), [bin("textlint"), ...rules, ...names], { cwd: root, encoding: "utf8", stdio: "pipe" });
    return true;
  } catch (error) {
    process.stdout.write(`${error.stdout}${error.stderr}`.replaceAll(`${root}/`, ""));
    return false;
  }
}

function wordsIn(names) {
  return names.reduce(
    (sum, file) => sum + readFileSync(join(root, file), "utf8").split(/\s+/).filter(Boolean).length,
    0,
  );
}
