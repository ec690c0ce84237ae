/**
 * Reports a page whose sentences are too long: the median must be at most `median` words, and no sentence may have more
 * than `longest`.
 */
export default function sentenceLength({ Syntax, RuleError, report, getSource }, { median = 18, longest = 40 } = {}) {
  const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
  const lengths = [];
  return {
    [Syntax.Paragraph](node) {
      const text = getSource(node)
        .replace(/`[^`]*`/g, "code")
        .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
      for (const { segment } of segmenter.segment(text)) {
        const words = segment
          .trim()
          .split(/\s+/)
          .filter((word) => /\w/.test(word)).length;
        if (words > 1) lengths.push(words);
        if (words > longest) report(node, new RuleError(`A sentence has ${words} words; write at most ${longest}.`));
      }
    },
    [Syntax.DocumentExit](node) {
      const middle = lengths.toSorted((one, other) => one - other)[Math.floor(lengths.length / 2)] ?? 0;
      if (middle > median)
        report(node, new RuleError(`The median sentence has ${middle} words; write at most ${median}.`));
    },
  };
}
