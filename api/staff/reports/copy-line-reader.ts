const LINE_END = 0x0a;

/** Reads the output of `copy … to stdout (format text)` line by line. PostgreSQL escapes line breaks in values as `\n`. */
export class CopyLineReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #lines: string[] = [];
  #at = 0;
  /** Start of an incomplete line. */
  #rest: Buffer[] = [];

  constructor(copy: AsyncIterable<Buffer>) {
    this.#chunks = copy[Symbol.asyncIterator]();
  }

  /** Returns up to `limit` lines, or an empty array at the end. */
  async take(limit: number): Promise<readonly string[]> {
    if (!(await this.hasMore())) return [];
    const taken = this.#lines.slice(this.#at, this.#at + limit);
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
      const completeLines = value.subarray(0, end);
      const bytes = this.#rest.length > 0 ? Buffer.concat([...this.#rest, completeLines]) : completeLines;
      this.#rest = end + 1 < value.length ? [value.subarray(end + 1)] : [];
      this.#lines = bytes.toString("utf8").split("\n");
      this.#at = 0;
    }
    return true;
  }
}
