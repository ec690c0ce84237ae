/** Start and end of a request, in milliseconds of `performance.now()`. Its effect happened at some moment in between. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Change of a seat or device to active or inactive. */
interface Change extends Span {
  readonly isActive: boolean;
}

/**
 * Known states of one seat or device that concurrent requests activate and release. A response only proves that the
 * change happened between the request and the response. So at any moment the seat or device was certainly active,
 * certainly inactive, or uncertain. A result is wrong only if it contradicts a certain state.
 */
export class Holding {
  private readonly changes: Change[] = [];

  /** Records that it became active or inactive at some moment of the span. */
  note(isActive: boolean, span: Span): void {
    this.changes.push({ ...span, isActive });
  }

  /** Returns whether the seat or device was active during the whole span, for any order of overlapping changes. */
  surely({ from, to }: Span): boolean {
    return this.changes.some(
      (taken) =>
        taken.isActive &&
        taken.to <= from &&
        !this.changes.some((lost) => !lost.isActive && lost.to > taken.from && lost.from < to),
    );
  }

  /** Returns whether the seat or device may have been active at some moment of the span. */
  perhaps({ from, to }: Span): boolean {
    return this.changes.some(
      (taken) =>
        taken.isActive &&
        taken.from <= to &&
        !this.changes.some((lost) => !lost.isActive && lost.from > taken.to && lost.to < from),
    );
  }
}
