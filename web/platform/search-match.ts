import { straightenSigns } from "#schema/clean-text.ts";

/**
 * Creates the search of a list (docs/domain.md#search). Each word of the query must start a word of the text. Words in
 * double quotes must match exactly. Digits also match numbers with other separators or none.
 * @returns a test for the texts of a row
 */
export function createSearchMatcher(query: string): (texts: readonly string[]) => boolean {
  const tests = groupNumbers(parseTerms(query)).map(createTest);
  return (texts) => {
    const folded = texts.map(foldText);
    return tests.every((test) => test(folded));
  };
}

/** Puts unquoted groups of digits that follow each other together: they may be one number, such as `0412 345 678`. */
function groupNumbers(terms: readonly Term[]): Term[][] {
  const groups: Term[][] = [];
  let isNumber = false;
  for (const term of terms) {
    const continues = isNumber;
    isNumber = !term.whole && numberIn(term.text) !== null;
    if (continues && isNumber) groups.at(-1)?.push(term);
    else groups.push([term]);
  }
  return groups;
}

function createTest(group: readonly Term[]): (texts: readonly string[]) => boolean {
  const tests = group.map(({ whole, text }) => (whole ? wholeTest(text) : startTest(text)));
  const number = group.length > 1 ? group.map(({ text }) => numberIn(text)).join("") : null;
  return (texts) => tests.every((test) => texts.some(test)) || texts.some((text) => matchesNumber(text, number, false));
}

interface Term {
  text: string;
  whole: boolean;
}

function parseTerms(query: string): Term[] {
  const terms: Term[] = [];
  for (const [, quoted, bare] of foldText(query).matchAll(/"([^"]*)"?|([^\s"]+)/g)) {
    const typed = (quoted ?? bare ?? "").trim();
    // Signs around a term, such as in "$50" or "Smith,", aren't part of its words.
    const text = /[\p{L}\p{N}](?:.*[\p{L}\p{M}\p{N}])?/su.exec(typed)?.[0];
    if (typed) terms.push({ text: text ?? typed, whole: quoted !== undefined });
  }
  const words = terms.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  return words.length > 0 ? words : terms;
}

function startTest(term: string): (text: string) => boolean {
  const number = numberIn(term);
  return (text) => wordStarts(text).some((rest) => rest.startsWith(term)) || matchesNumber(text, number, false);
}

function wholeTest(term: string): (text: string) => boolean {
  const number = numberIn(term);
  const ends = (rest: string) => rest.length === term.length || !/[\p{L}\p{N}]/u.test(rest[term.length] ?? "");
  return (text) =>
    wordStarts(text).some((rest) => rest.startsWith(term) && ends(rest)) || matchesNumber(text, number, true);
}

/** Returns the rest of the text from each word. A word starts after a character that is neither a letter nor a digit. */
function wordStarts(text: string): string[] {
  const starts = [text.trimStart()];
  for (const match of text.matchAll(/(?<=[^\p{L}\p{N}])[\p{L}\p{N}]/gu)) starts.push(text.slice(match.index));
  return starts;
}

const SEPARATORS = /[\s.,()/+-]/g;

/** Returns the digits of a term that is a number with optional separators, or null. */
function numberIn(term: string): string | null {
  const digits = term.replace(SEPARATORS, "");
  return /^\d+$/.test(digits) ? digits : null;
}

function matchesNumber(text: string, digits: string | null, whole: boolean): boolean {
  if (digits === null) return false;
  for (const [run] of text.matchAll(/\+?\d[\d\s.,()/-]*/g)) {
    // Also try later groups, so that a phone number is found without its country code.
    for (const { index } of run.matchAll(/\d+/g)) {
      const number = run.slice(index).replace(SEPARATORS, "");
      if (whole ? number === digits : number.startsWith(digits)) return true;
    }
  }
  return false;
}

/** Removes case, accents and invisible characters, and gives letters, digits and signs one form. */
export function foldText(text: string): string {
  return straightenSigns(text.normalize("NFKD"))
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase();
}
