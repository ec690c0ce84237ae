/** One term of a search: a word, words that belong together such as an address, or a quotation. */
export interface SearchTerm {
  /** In their order and next to each other; folded. */
  readonly words: readonly string[];
  /** Quoted: the last word must match whole, not only begin the text's. */
  readonly whole: boolean;
  /** The digits of a term that is a number apart from its separators, else null. */
  readonly number: string | null;
}

/** What must be found: every term, or instead the number that several bare numbers make together (`0412 345 678`). */
export interface SearchPart {
  readonly terms: readonly SearchTerm[];
  readonly number: string | null;
}

const marks = /[\u0300-\u036f]/g;
// The same characters part the words in PostgreSQL: `search_words` of migration 0015.
const separators = /[\u0000-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+/;
const numberSeparators = /[\s.,()/+-]/g;

/** Case and accents don't count in a search. */
export function folded(text: string): string {
  return text.normalize("NFD").replace(marks, "").toLowerCase();
}

/** The words of a text, folded. */
export function wordsOf(text: string): string[] {
  return folded(text)
    .split(separators)
    .filter((word) => word !== "");
}

/**
 * Reads what was typed into a search box (docs/domain.md#search): words match at word starts, quoted text matches whole
 * words, numeric text matches also without separators. Nothing is to be found by punctuation alone.
 */
export function searchParts(query: string): SearchPart[] {
  const parts: SearchPart[] = [];
  let run: SearchTerm[] = [];
  const endRun = () => {
    if (run.length > 1) parts.push({ terms: run, number: run.map(({ number }) => number).join("") });
    else if (run.length === 1) parts.push({ terms: run, number: null });
    run = [];
  };
  for (const [, quoted, bare] of query.matchAll(/"([^"]*)"?|([^\s"]+)/g)) {
    const text = quoted ?? bare ?? "";
    const words = wordsOf(text);
    if (words.length === 0) continue;
    const digits = text.replace(numberSeparators, "");
    const term = { words, whole: quoted !== undefined, number: /^\d+$/.test(digits) ? digits : null };
    if (term.number !== null && !term.whole) run.push(term);
    else {
      endRun();
      parts.push({ terms: [term], number: null });
    }
  }
  endRun();
  return parts;
}
