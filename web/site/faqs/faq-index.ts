import MiniSearch from "minisearch";
import { foldText } from "#web/platform/search-match.ts";
import { typingErrors } from "#web/site/rest-reference/index-similar.ts";

/** A question with all searchable text. */
export interface SearchedQuestion {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  /** Hidden search terms. */
  readonly keywords: string;
  readonly answer: string;
}

const STOP_WORDS = new Set(
  "a about an and any are as at be been but by can could did do does for from get had has have how i if in into is it its me my of on or our please shall should so than that the their then there these they this to us was we were what when where which who why will with would you your".split(
    " ",
  ),
);

/** Lowest score to include, as a share of the best score. */
const WEAKEST = 0.35;

const toSearchTerm = (term: string) => {
  const word = foldText(term);
  return word.length < 2 || STOP_WORDS.has(word) ? null : word;
};

/**
 * Builds a search that tolerates different word order, endings and typing errors. It returns the best matches first:
 * questions with all words of the query or, if there are none, with some of them. Null if the query has nothing to search
 * for yet, such as `how do I c`.
 */
export function buildFaqIndex(questions: readonly SearchedQuestion[]) {
  const index = new MiniSearch<SearchedQuestion>({
    fields: ["title", "keywords", "section", "answer"],
    processTerm: toSearchTerm,
    searchOptions: { boost: { title: 4, keywords: 4, section: 1.5 }, ...typingErrors },
  });
  index.addAll(questions);
  return (query: string) => {
    if (!query.split(/[^\p{L}\p{N}\p{M}]+/u).some(toSearchTerm)) return null;
    const withAll = index.search(query, { combineWith: "AND" });
    const found = withAll.length > 0 ? withAll : index.search(query, { combineWith: "OR" });
    const best = found[0]?.score ?? 0;
    return found
      .filter(({ score }) => withAll.length > 0 || score >= best * WEAKEST)
      .map(({ id, terms, match }) => ({
        id: String(id),
        /** Matching words in the question and answer, in lower case and without accents. */
        words: terms,
        /** True if only the answer matched. */
        inAnswer: Object.values(match).every((fields) => fields.every((field) => field === "answer")),
      }));
  };
}
