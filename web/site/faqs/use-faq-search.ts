import faqQuestions from "content:faq-questions";
import { useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { createSearchMatcher } from "#web/platform/search-match.ts";
import type { Panels } from "#web/ui/use-panels.ts";
import type { buildFaqIndex } from "./faq-index.ts";
import { useUrlQuery } from "./use-url-query.ts";

const NAME = "found-words";

/**
 * Highlights words in these elements that start with one of the search words. It uses the CSS Custom Highlight API, so the
 * DOM doesn't change. Browsers without it show no highlights.
 */
function markWords(found: readonly string[], elements: readonly Element[]): void {
  if (typeof Highlight === "undefined" || !CSS.highlights) return;
  const words = found.filter((word) => /^[\p{L}\p{N}]+$/u.test(word));
  if (words.length === 0 || elements.length === 0) {
    CSS.highlights.delete(NAME);
    return;
  }
  const wanted = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})`, "giu");
  const ranges = elements.flatMap(textsIn).flatMap((text) =>
    [...(text.nodeValue ?? "").matchAll(wanted)].map(({ index, 0: { length } }) => {
      const range = new Range();
      range.setStart(text, index);
      range.setEnd(text, index + length);
      return range;
    }),
  );
  CSS.highlights.set(NAME, new Highlight(...ranges));
}

function textsIn(element: Element): Node[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Node[] = [];
  for (let text = walker.nextNode(); text; text = walker.nextNode()) texts.push(text);
  return texts;
}

/** The questions in the list, without their answers. */
export const questions = faqQuestions.filter(({ show }) => show);

type Question = (typeof questions)[number];

/** A question that matches the query. `inAnswer` is true if only its answer matches. */
export interface Hit extends Question {
  readonly inAnswer: boolean;
}

/** If there are at most this many matches, they open automatically. */
const FEW = 4;

type Search = ReturnType<typeof buildFaqIndex>;

/**
 * Searches questions and their answers, best matches first. The index is built from the answers in the page when the user
 * starts typing.
 */
export function useFaqSearch(panels: Panels) {
  const [query, setQuery] = useUrlQuery();
  const { hash } = useLocation();
  const { setAll } = panels;
  const index = useIndex(query.trim() !== "");
  const isLoading = query.trim() !== "" && index === "loading";
  const { hits, words } = useMemo(() => find(query, index), [query, index]);

  const searched = useRef("");
  useEffect(() => {
    const isNew = searched.current !== query;
    if (isLoading) return;
    searched.current = query;
    markWords(
      words,
      hits.flatMap(({ id }) => document.getElementById(id) ?? []),
    );
    if (!isNew) return;
    // A link from an answer to another one ends the search and opens the other one.
    const opened = query.trim() ? hits.map(({ id }) => id) : [hash.slice(1)];
    setAll(opened.length <= FEW ? opened : []);
  }, [query, hits, words, isLoading, setAll, hash]);
  useEffect(() => () => markWords([], []), []);

  return { query, setQuery, hits, isLoading };
}

/** Loads the index when it is first needed. Returns "missing" if it can't be loaded; the search then matches words only. */
function useIndex(isNeeded: boolean): Search | "loading" | "missing" {
  const [index, setIndex] = useState<{ search: Search | "missing" } | null>(null);
  useEffect(() => {
    if (!isNeeded || index) return undefined;
    let isCurrent = true;
    import("./faq-index.ts").then(
      ({ buildFaqIndex }) => {
        const searched = questions.map((question) => ({ keywords: "", ...question, answer: answerTo(question) }));
        if (isCurrent) setIndex({ search: buildFaqIndex(searched) });
      },
      () => isCurrent && setIndex({ search: "missing" }),
    );
    return () => {
      isCurrent = false;
    };
  }, [isNeeded, index]);
  return index?.search ?? "loading";
}

const answerTo = ({ id }: Question) => document.getElementById(`${id}-panel`)?.textContent ?? "";

interface Found {
  readonly hits: readonly Hit[];
  /** Words to highlight in the page. */
  readonly words: readonly string[];
}

function find(query: string, search: Search | "loading" | "missing"): Found {
  const all = { hits: questions.map((question) => ({ ...question, inAnswer: false })), words: [] };
  if (!query.trim() || search === "loading") return all;
  if (search === "missing" || query.includes('"')) return findWords(query);
  const byId = new Map(questions.map((question) => [question.id, question]));
  const found = search(query);
  if (!found) return all;
  const hits = found.flatMap(({ id, inAnswer }) => {
    const question = byId.get(id);
    return question ? [{ ...question, inAnswer }] : [];
  });
  return { hits, words: [...new Set(found.flatMap(({ words }) => words))] };
}

/** Finds questions by word prefixes or by a quoted phrase, as the table search does. */
function findWords(query: string): Found {
  const matches = createSearchMatcher(query);
  const hits = questions.flatMap((question): Hit[] => {
    const titles = [question.title, question.section];
    if (matches(titles)) return [{ ...question, inAnswer: false }];
    return matches([...titles, answerTo(question)]) ? [{ ...question, inAnswer: true }] : [];
  });
  return { hits, words: query.match(/[\p{L}\p{N}]+/gu) ?? [] };
}
