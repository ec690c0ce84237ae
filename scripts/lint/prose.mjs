/**
 * Rules for plain English that a program can check: words that have a plainer alternative, and comments, test names and
 * identifiers that begin in the wrong way. They are used by the lint rules `house/prose` and `house/names`, textlint
 * and `check-prose.mjs`.
 */
import { exceptions } from "./prose-exceptions.mjs";

/** Words to avoid, and the words to use instead. */
export const plainWords = [
  [/\bmend(s|ed|ing)?\b/i, "fix"],
  [/\banew\b/i, "again"],
  [/\b(hence|lest|thereof|therein|wherein|whereby|whereof|heretofore|henceforth|thence|whilst)\b/i, "plain words"],
  [/\bbeside\b/i, "next to, or as well as"],
  [/\bbut for\b/i, "except"],
  [/\bat once\b/i, "immediately, or at the same time"],
  [/\bof (ours|theirs|its own|their own|his own|yours|hers)\b/i, "our, their, its own"],
  [/\bby (itself|themselves)\b/i, "automatically, or alone"],
  [/\bin turn\b/i, "one after another"],
  [/\blook(s|ed|ing)? after\b/i, "manage"],
  [/\bcarr(y|ies|ied|ying) on\b/i, "continue"],
  [/\b(stands?|stood)\b(?![- ]in\b)(?! (out|for))/i, "is, is shown"],
  [
    /\b(holds?|held)\b(?! ((a|an|the|that|this|its|row|advisory|exclusive|no) )*(locks?|seats?|leases?|transactions?|connections?)\b)/i,
    "contains, includes, keeps",
  ],
  [/\bdear(er|est)\b|\btoo dear\b/i, "expensive"],
  [/\btold\b/i, "notified, or shown"],
  [/\b(hears|heard|hearing)\b/i, "receives"],
  [
    /\bask(s|ed|ing)?\b(?! (us|your|our|an? (admin|colleague)|support|for help|questions?|yourself)\b)(?!( [\w'’`]+){1,4} (to|for|whether|before)\b)/i,
    "request, call, check",
  ],
  [/(?<![\w-])mail(s|ed|ing)?\b(?!-)/i, "email"],
  [/(?<![\w-])persons?\b(?!al)/i, "user, or customer"],
  [/\bfree(s|d|ing)\b/i, "release, or deactivate"],
  [/\bof (whom|which)\b/i, "a second sentence"],
  [/\bthat of\b|\bthose of\b|\bthe one that\b|\bthe ones that\b/i, "the name of the thing"],
  [/\b(reckon(s|ed|ing)?|betray(s|ed)?|amiss|afresh|thereafter|forthwith|aforesaid|whither)\b/i, "plain words"],
  [/\bfor a fault of\b/i, "because of"],
  [/(?<!there )\bis (no such|none)\b/i, "isn't"],
  [/\bwhat (is|was|are|were) (no|none|nobody's)\b/i, "the name of the thing"],
];

/** Words that begin a clause without a subject or a verb. */
const headless =
  /^(What|Whatever|Who|Whom|Whose|Which|Whichever|Where|Why|How|Of|That|Than|As|Nobody's|Everybody's|Somebody's|Such|So|Lest)\b/;

const headlessMessage = (word) => `starts with "${word}": start with who or what does the thing, or with a verb`;

/** Words ending in s that can begin a comment but aren't verbs. */
const nouns = new Set(
  "Access Always Admins Amounts Bytes Cents Characters Columns Comments Customers Days Details Devices Entries Errors Events Fields Files Hours Ids Invoices Its Keys Licences Lines  Minutes Numbers Options Pages Parts Passwords Plans Pixels Prices Props Questions Rows Rules Screens Seats Seconds Sessions Settings Status Statuses Tables Tests This Tokens Users Values Ways Words Years".split(
    " ",
  ),
);

const skippedTexts = exceptions.flatMap(({ text }) => text ?? []);

/** Removes code, addresses, quotations and exceptions, because their wording is fixed. */
function withoutQuotations(text) {
  return skippedTexts
    .reduce((rest, phrase) => rest.replaceAll(phrase, "…"), text)
    .replace(/```[\s\S]*?```/g, " ")
    .replace(/`[^`]*`/g, "`code`")
    .replace(/\{@link [^}]*\}/g, "`code`")
    .replace(/https?:\/\/\S+/g, "")
    .replace(/["“][^"“”]*["”]/g, '"…"');
}

/** Returns a message for each word of `text` that has a plainer alternative. */
export function wordFaults(text) {
  const prose = withoutQuotations(text);
  return plainWords.flatMap(([pattern, plain]) => {
    const [found] = pattern.exec(prose) ?? [];
    return found ? [`"${found}": write ${plain}`] : [];
  });
}

/**
 * Returns a message for each fault in a comment.
 * @param {string} value text between the comment's marks
 * @param {boolean} isDoc whether it is a doc comment
 * @param {boolean} isFunction whether it describes a function or method
 */
export function commentFaults(value, { isDoc = false, isFunction = false } = {}) {
  const text = value.replace(/^\s*\*+ ?/gm, "").trim();
  if (/^(oxlint|eslint|biome|@ts-|v8 ignore|c8 |knip|#__|@vite|@license|<ref)/.test(text)) return [];
  const faults = wordFaults(text);
  if (!isDoc) return faults;
  const [first = ""] = /^[\w'’]+/.exec(text) ?? [];
  if (headless.test(first)) faults.push(headlessMessage(first));
  else if (isFunction && first && (!/^[A-Z][a-z]+s$/.test(first) || nouns.has(first)))
    faults.push(`starts with "${first}": start a function's comment with what it does, such as Returns`);
  return faults;
}

/** Returns a message for each fault in the name of a test or test group. */
export function testNameFaults(name) {
  const faults = wordFaults(name);
  const [first = ""] = /^[\w'’]+/.exec(name) ?? [];
  if (/^(of|what|who|whose|whom|which|that|whatever|how|where|why)$/i.test(first)) faults.push(headlessMessage(first));
  return faults;
}

/** Words in identifiers and file names that tell a developer nothing. */
const riddles =
  /^(anew|ask|asked|asks|beside|carry|forget|freed|frees|hears|heard|hearers|judge|mail|mailed|mails|mend|mended|quickly|reckon|standing|stray|tell|tells|told|upkeep|way)$/i;

/** Function names without a verb (`nameOf` instead of `getName` or `formatName`) or with an unusual one. */
const oddFunction = /[a-z]Of$|^(free|lead|may|note|say)[A-Z]/;

/** Returns a message for each fault in an identifier that a file declares. */
export function nameFaults(name, { isFunction = false } = {}) {
  const words = name.split(/(?<=[a-z\d])(?=[A-Z])|[_\-.$]/);
  const faults = words
    .filter((word) => riddles.test(word))
    .map((word) => `"${word}" in "${name}": use the ordinary word`);
  if (isFunction && oddFunction.test(name))
    faults.push(`"${name}": start a function's name with an ordinary verb, such as get, find or format`);
  return faults;
}

const blockComments = /\/\*([\s\S]*?)\*\/|<!--([\s\S]*?)-->|\{\{!--([\s\S]*?)--\}\}/g;
const lineComments = /(?:^|\s)(?:#|--)[ \t]+(.*)$/gm;

/** Returns the comments in a style sheet or configuration file with their line numbers, counted from 1. */
export function commentsIn(file, text) {
  const pattern = /\.(css|html|hbs)$/.test(file) ? blockComments : lineComments;
  return [...text.matchAll(pattern)].map((match) => ({
    line: text.slice(0, match.index + match[0].search(/\S/)).split("\n").length,
    text: match.slice(1).find((part) => part !== undefined) ?? "",
  }));
}
