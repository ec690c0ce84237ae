import { object } from "yup";
import { cleanEmail, cleanText, straightenSigns } from "./clean-text.ts";
import { line } from "./text.ts";

/** A search term: a word, connected words such as an email address, or a quoted phrase. */
export interface SearchTerm {
  /** The term as typed, without signs around it. */
  readonly text: string;
  /** Normalised words that must follow each other in this order. */
  readonly words: readonly string[];
  /** True if the term was quoted. If so, the last word must match completely, not just as a prefix. */
  readonly isWhole: boolean;
  /** Digits of a term that contains only digits and number separators; null for other terms. */
  readonly number: string | null;
}

/**
 * A part of a search that must match: either all its terms, or the number that several groups of digits form (`0412 345
 * 678`).
 */
interface SearchPart {
  readonly terms: readonly SearchTerm[];
  readonly number: string | null;
}

const marks = /[\u0300-\u036f]/g;
// `search_words` in migration 0015 splits words at the same characters.
const separators = /[\u0000-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+/;
const numberSeparators = /[\s.,()/+-]/g;

/** Cleans text and converts it to lower case without accents and typographic signs, because searches ignore them. */
export function foldText(text: string): string {
  return straightenSigns(cleanText(text)).normalize("NFD").replace(marks, "").toLowerCase();
}

/** Splits a text into normalised words. */
export function splitWords(text: string): string[] {
  return foldText(text)
    .split(separators)
    .filter((word) => word !== "");
}

/**
 * Parses a search query (docs/domain.md#search). Words match the start of words, quoted text matches whole words, and
 * numbers also match without separators. Punctuation alone matches nothing.
 */
export function parseSearch(query: string): SearchPart[] {
  const parts: SearchPart[] = [];
  let run: SearchTerm[] = [];
  const endRun = () => {
    if (run.length > 1) parts.push({ terms: run, number: run.map(({ number }) => number).join("") });
    else if (run.length === 1) parts.push({ terms: run, number: null });
    run = [];
  };
  for (const [, quoted, bare] of straightenSigns(query).matchAll(/"([^"]*)"?|([^\s"]+)/g)) {
    const typed = quoted ?? bare ?? "";
    // Addresses are stored with the ASCII form of their domain.
    const address = typed.includes("@") ? cleanEmail(typed) : typed;
    const words = splitWords(address);
    if (words.length === 0) continue;
    const text = /[\p{L}\p{N}](?:.*[\p{L}\p{M}\p{N}])?/su.exec(address)?.[0] ?? "";
    const digits = typed.replace(numberSeparators, "");
    const term = { text, words, isWhole: quoted !== undefined, number: /^\d+$/.test(digits) ? digits : null };
    if (term.number !== null && !term.isWhole) run.push(term);
    else {
      endRun();
      parts.push({ terms: [term], number: null });
    }
  }
  endRun();
  return parts;
}

/** Rules for the text of the admin's global search. */
export const searchRules = object({ text: line(200).default("") });
