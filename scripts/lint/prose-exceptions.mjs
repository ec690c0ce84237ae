/**
 * Exceptions from the prose check, each with its reason: at most 20. `text` is a phrase the check skips wherever it occurs;
 * `files` is the start of the path of files the check skips.
 */
export const exceptions = [
  { files: "web/content/legals/", reason: "The vendor's legal texts are published as their lawyers wrote them." },
];
