/** When something was under way, in milliseconds of `performance.now()`: it happened at one moment in between. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A change of something that is held or not. */
interface Change extends Span {
  readonly holds: boolean;
}

/**
 * What is known of one thing, a place or a seat, that many hold and lose at once: an answer tells that a change
 * happened between the question and itself, and no more. So at any moment the thing is surely held, surely not, or
 * perhaps; only what contradicts both of the first two is forbidden.
 */
export class Holding {
  private readonly changes: Change[] = [];

  /** Notes that it came to be held, or lost, at some moment of the span. */
  note(holds: boolean, span: Span): void {
    this.changes.push({ ...span, holds });
  }

  /** Whether it was held at every moment of the span, whatever the order of what overlapped. */
  surely({ from, to }: Span): boolean {
    return this.changes.some(
      (taken) =>
        taken.holds &&
        taken.to <= from &&
        !this.changes.some((lost) => !lost.holds && lost.to > taken.from && lost.from < to),
    );
  }

  /** Whether it may have been held at some moment of the span. */
  perhaps({ from, to }: Span): boolean {
    return this.changes.some(
      (taken) =>
        taken.holds &&
        taken.from <= to &&
        !this.changes.some((lost) => !lost.holds && lost.from > taken.to && lost.to < from),
    );
  }
}
