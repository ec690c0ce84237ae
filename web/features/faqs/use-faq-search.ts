import { useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { searchMatcher } from "#web/ui/table/search-match.ts";
import type { Panels } from "#web/ui/use-panels.ts";
import { markWords } from "./mark-words.ts";

/** A question as the list shows it. */
export interface Question {
  readonly id: string;
  readonly title: string;
  readonly section: string;
}

/** A question that the query found; `inAnswer` when its title alone would not have been. */
export interface Hit extends Question {
  readonly inAnswer: boolean;
}

/** So few hits are opened at once. */
const FEW = 4;
/** Milliseconds of rest after which the address follows what was typed. */
const PAUSE = 300;

/**
 * Search among questions and their answers, which it reads in the page. The query stands in the address
 * (`?query=invoice`): it can be sent, and comes back with the browser's back.
 */
export function useFaqSearch(questions: readonly Question[], panels: Panels) {
  const [query, setQuery] = useState("");
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const { setAll } = panels;

  const asked = new URLSearchParams(search).get("query") ?? "";
  const inAddress = useRef("");
  useEffect(() => {
    if (asked === inAddress.current) return;
    inAddress.current = asked;
    setQuery(asked);
  }, [asked]);

  // Typed before the scripts were there.
  useEffect(() => {
    const box = document.getElementById("faq-query");
    if (box instanceof HTMLInputElement && box.value) setQuery(box.value);
  }, []);

  useEffect(() => {
    if (query.trim() === inAddress.current) return;
    const timer = setTimeout(() => {
      inAddress.current = query.trim();
      const next = query.trim() ? `?${new URLSearchParams({ query: query.trim() }).toString()}` : "";
      void navigate(`${pathname}${next}`, { replace: true, preventScrollReset: true });
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [query, pathname, navigate]);

  const hits = useMemo(() => find(query, questions), [query, questions]);

  const searched = useRef("");
  useEffect(() => {
    const isNew = searched.current !== query;
    searched.current = query;
    markWords(
      query,
      hits.flatMap(({ id }) => document.getElementById(id) ?? []),
    );
    if (isNew) setAll(query.trim() && hits.length <= FEW ? hits.map(({ id }) => id) : []);
  }, [query, hits, setAll]);
  useEffect(() => () => markWords("", []), []);

  return { query, setQuery, hits };
}

function find(query: string, questions: readonly Question[]): readonly Hit[] {
  if (!query.trim()) return questions.map((question) => ({ ...question, inAnswer: false }));
  const matches = searchMatcher(query);
  return questions.flatMap((question): Hit[] => {
    const titles = [question.title, question.section];
    if (matches(titles)) return [{ ...question, inAnswer: false }];
    const answer = document.getElementById(`${question.id}-panel`)?.textContent ?? "";
    return matches([...titles, answer]) ? [{ ...question, inAnswer: true }] : [];
  });
}
