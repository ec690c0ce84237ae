const LINE_END = 0x0a;

/** The lines of `copy … to stdout (format text)`, as they come; a line has no break within, PostgreSQL writes those `\n`. */
export class CopiedLines {
  readonly #chunks: AsyncIterator<Buffer>;
  #lines: string[] = [];
  #at = 0;
  /** The beginning of a line whose end is yet to come. */
  #rest: Buffer[] = [];

  constructor(copy: AsyncIterable<Buffer>) {
    this.#chunks = copy[Symbol.asyncIterator]();
  }

  /** The next lines, at most so many; none at the end. */
  async take(most: number): Promise<readonly string[]> {
    if (!(await this.hasMore())) return [];
    const taken = this.#lines.slice(this.#at, this.#at + most);
    this.#at += taken.length;
    return taken;
  }

  async hasMore(): Promise<boolean> {
    while (this.#at >= this.#lines.length) {
      const { done, value } = await this.#chunks.next();
      if (done) return false;
      const end = value.lastIndexOf(LINE_END);
      if (end < 0) {
        this.#rest.push(value);
        continue;
      }
      const whole = value.subarray(0, end);
      const bytes = this.#rest.length > 0 ? Buffer.concat([...this.#rest, whole]) : whole;
      this.#rest = end + 1 < value.length ? [value.subarray(end + 1)] : [];
      this.#lines = bytes.toString("utf8").split("\n");
      this.#at = 0;
    }
    return true;
  }
}
