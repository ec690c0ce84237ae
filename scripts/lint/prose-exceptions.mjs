/**
 * Exceptions from the prose check, each with a reason. There may be at most 20. `text` is a phrase that the check
 * ignores everywhere; `files` is a path prefix of files that the check skips.
 */
export const exceptions = [
  { files: "web/content/legals/", reason: "The vendor's legal texts are published as their lawyers wrote them." },
  { files: "web/content/tutorials/1.md", reason: "Its sentences are the captions of the film." },
  { text: "Heard Island", reason: "This is the name of a country." },
  { text: "holds an offline licence file and cannot be freed", reason: "The add-in's result texts are published." },
  { text: "Subscribe to carry on.", reason: "The add-in's result texts are published." },
  { text: "Nobody has answered yet. Ask again after the interval.", reason: "The add-in's error texts are published." },
  { text: "You ask too often.", reason: "The add-in's error texts are published." },
  { text: "Please check it or ask for a new one.", reason: "The add-in's error texts are published." },
  { text: "No mail is sent for a sandbox code.", reason: "The add-in's result texts are published." },
];
