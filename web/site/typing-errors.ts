/**
 * Options of MiniSearch that tolerate unfinished words and typing errors: one wrong letter in words of four letters or more, and
 * two from six letters on, because two swapped letters count as two ("licnece").
 */
export const typingErrors = {
  // Don't match a single character as a prefix, because too many words start with it.
  prefix: (term: string) => term.length > 1,
  fuzzy: (term: string) => (term.length > 3 ? 0.28 : false),
  maxFuzzy: 2,
};
