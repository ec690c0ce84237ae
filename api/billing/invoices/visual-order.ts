import createBidi from "bidi-js";

interface Part {
  text: string;
  readonly level: number;
  /** True for a space or bracket within right-to-left text. */
  readonly stands: boolean;
}

const bidi = createBidi();
export const rightToLeft = /[\p{scx=Hebr}\p{scx=Arab}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}\p{scx=Adlm}]/u;

/**
 * Splits a line into parts in the order in which they are drawn from left to right (Unicode Bidirectional Algorithm). The
 * words of right-to-left text are separate parts, because the PDF library reverses only the letters of a word.
 */
export function listVisualParts(line: string): string[] {
  if (!rightToLeft.test(line)) return [line];
  const { levels } = bidi.getEmbeddingLevels(line, "ltr");
  const parts: Part[] = [];
  for (let at = 0; at < line.length; at++) {
    const level = levels[at] ?? 0;
    const character = line.charAt(at);
    const isReversed = level % 2 === 1;
    const mirrored = isReversed ? bidi.getMirroredCharacter(character) : null;
    const stands = isReversed && (mirrored !== null || character === " ");
    const last = parts.at(-1);
    if (last?.level === level && !stands && !last.stands) last.text += character;
    else parts.push({ text: mirrored ?? character, level, stands });
  }
  const highest = Math.max(...parts.map(({ level }) => level));
  for (let level = highest; level >= 1; level--) reverseFrom(parts, level);
  return parts.map(({ text }) => text);
}

/** Reverses each sequence of parts with at least the given level. */
function reverseFrom(parts: Part[], level: number): void {
  for (let start = 0; start < parts.length; start++) {
    let end = start;
    while ((parts[end]?.level ?? 0) >= level) end++;
    if (end > start) parts.splice(start, end - start, ...parts.slice(start, end).toReversed());
    start = Math.max(start, end);
  }
}
