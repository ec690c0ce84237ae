import { badInput } from "#api/platform/errors.ts";

/** Receives a long value in chunks, in order. */
export interface LongText {
  take(text: string): Promise<void>;
  end(): Promise<void>;
}

/** Returns the receiver of a key's string value, or null if the value is short and goes to `values`. */
export type FindReceiver = (key: string) => LongText | null;

/** Maximum size of a value that isn't received in chunks, in bytes. */
const MAX_SHORT_BYTES = 10_000;
const MAX_KEYS = 20;
/** Number of characters per chunk of a long value. */
const CHUNK_LENGTH = 65_536;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const isSpace = (byte: number) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;

const malformed = () => badInput({ body: ["Must be valid JSON."] });
const nested = () => badInput({ body: ["Must be a JSON object of plain values."] });
const tooMany = () => badInput({ body: [`Must have at most ${MAX_KEYS} fields.`] });
const tooLong = () => badInput({ body: ["A field is too long."] });

type State = "start" | "first-key" | "key" | "colon" | "value" | "literal" | "after" | "done";

/**
 * Parses a flat JSON object as it arrives, so that a string of 80 MB is never entirely in memory.
 * @throws AppError BAD_USER_INPUT if the text isn't a flat JSON object or has too many keys.
 */
export class FlatJson {
  readonly values = new Map<string, unknown>();
  readonly #receiverOf: FindReceiver;
  #state: State = "start";
  #key = "";
  #keys = 0;
  /** Raw bytes of the string or literal being read. */
  #raw: Buffer[] = [];
  #rawBytes = 0;
  #inString = false;
  #long: LongText | null = null;
  /** Buffered characters of a long value, because parts between escapes can be single characters. */
  #text = "";
  /** The first characters of an incomplete escape sequence. */
  #escape = "";

  constructor(receiverOf: FindReceiver) {
    this.#receiverOf = receiverOf;
  }

  async push(chunk: Buffer): Promise<void> {
    let at = 0;
    while (at < chunk.length) {
      if (this.#escape !== "") at = this.#readEscape(chunk, at);
      else at = this.#inString ? await this.#readString(chunk, at) : this.#readCharacter(chunk, at);
    }
    if (this.#long && this.#text.length >= CHUNK_LENGTH) await this.#flush(this.#long);
  }

  end(): void {
    if (this.#state !== "done") throw malformed();
  }

  /** Reads one character outside a string. */
  #readCharacter(chunk: Buffer, at: number): number {
    const byte = chunk[at] ?? 0;
    const sign = String.fromCharCode(byte);
    if (this.#state === "literal") {
      if (!isSpace(byte) && sign !== "," && sign !== "}") {
        this.#keep(chunk.subarray(at, at + 1));
        return at + 1;
      }
      this.values.set(this.#key, parseJson(this.#takeRaw()));
      this.#state = "after";
    }
    // Skip a byte order mark.
    if (isSpace(byte) || (this.#state === "start" && byte >= 0xbb)) return at + 1;
    this.#state = this.#next(sign, chunk, at);
    return at + 1;
  }

  #next(sign: string, chunk: Buffer, at: number): State {
    switch (this.#state) {
      case "start":
        if (sign === "{") return "first-key";
        throw sign === "[" ? nested() : malformed();
      case "first-key":
      case "key":
        if (sign === "}" && this.#state === "first-key") return "done";
        if (sign !== '"') throw malformed();
        this.#inString = true;
        return this.#state;
      case "colon":
        if (sign === ":") return "value";
        throw malformed();
      case "value":
        if (sign === "{" || sign === "[") throw nested();
        if (sign === '"') {
          this.#inString = true;
          this.#long = this.#receiverOf(this.#key);
          return "value";
        }
        if (!/[-\dtfn]/.test(sign)) throw malformed();
        this.#keep(chunk.subarray(at, at + 1));
        return "literal";
      case "after":
        if (sign === ",") return "key";
        if (sign === "}") return "done";
        throw malformed();
      case "literal":
      case "done":
        throw malformed();
    }
  }

  /** Reads a string up to its end, an escape or the end of the chunk. */
  async #readString(chunk: Buffer, at: number): Promise<number> {
    // Search for the backslash first, because in a series of escapes the next quote may be far away.
    const backslash = chunk.indexOf(BACKSLASH, at);
    const untilBackslash = backslash < 0 ? chunk.length : backslash;
    const quote = chunk.subarray(at, untilBackslash).indexOf(QUOTE);
    const end = quote < 0 ? untilBackslash : at + quote;
    if (end > at) await this.#takePart(chunk.subarray(at, end));
    if (quote >= 0) await this.#endString();
    else if (backslash >= 0) this.#escape = "\\";
    return end + (end < chunk.length ? 1 : 0);
  }

  #readEscape(chunk: Buffer, at: number): number {
    this.#escape += String.fromCharCode(chunk[at] ?? 0);
    const needed = this.#escape[1] === "u" ? 6 : 2;
    if (this.#escape.length === needed) {
      const escape = this.#escape;
      this.#escape = "";
      if (this.#long) this.#text += parseJson(`"${escape}"`) as string;
      else this.#keep(Buffer.from(escape, "latin1"));
    }
    return at + 1;
  }

  async #takePart(part: Buffer): Promise<void> {
    if (!this.#long) return this.#keep(part);
    this.#text += part.toString("latin1");
    if (this.#text.length >= CHUNK_LENGTH) await this.#flush(this.#long);
  }

  async #flush(long: LongText): Promise<void> {
    const text = this.#text;
    this.#text = "";
    await long.take(text);
  }

  async #endString(): Promise<void> {
    this.#inString = false;
    if (this.#state !== "value") {
      if (++this.#keys > MAX_KEYS) throw tooMany();
      this.#key = parseJson(`"${this.#takeRaw()}"`) as string;
      this.#state = "colon";
      return;
    }
    if (this.#long) {
      await this.#flush(this.#long);
      await this.#long.end();
    } else this.values.set(this.#key, parseJson(`"${this.#takeRaw()}"`));
    this.#long = null;
    this.#state = "after";
  }

  #keep(part: Buffer): void {
    this.#rawBytes += part.length;
    if (this.#rawBytes > MAX_SHORT_BYTES) throw tooLong();
    this.#raw.push(Buffer.from(part));
  }

  #takeRaw(): string {
    const raw = Buffer.concat(this.#raw);
    this.#raw = [];
    this.#rawBytes = 0;
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(raw);
    } catch {
      throw badInput({ body: ["Must be valid UTF-8."] });
    }
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw malformed();
  }
}
