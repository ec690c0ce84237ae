import type { Readable } from "node:stream";

const keyShape = /^[a-z0-9][a-z0-9.-]*(?:\/[a-z0-9][a-z0-9.-]*)*$/;

/** Whether a name may be that of a stored file; what others put beside ours may have any. */
export function isKey(name: string): boolean {
  return keyShape.test(name);
}

/** Refuses what is no key of a stored file. @throws Error */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new Error("not a key of a stored file");
  return key;
}

/** A part of a file: both ends are bytes that belong to it, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What was stored. */
export interface StoredContent {
  readonly sizeBytes: number;
  /** In hex, lower case. */
  readonly sha256: string;
}

/**
 * Files that the product keeps, such as published builds: on the disk of one machine, or in a bucket that
 * several share. A key is made by the product, never by a client: segments of lower-case letters, digits, dots
 * and dashes with `/` between.
 */
export interface Files {
  /**
   * Stores the content whole or not at all; what a key held before is replaced in one step. The content is read to its
   * end or destroyed, whatever comes of it.
   */
  put(key: string, content: Readable): Promise<StoredContent>;
  /** The content, or a part of it, as it is read; null when there is none. */
  open(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Null when there is no such file. */
  stat(key: string): Promise<{ sizeBytes: number } | null>;
  /** Every file below a key, also what an interrupted `put` left, with the moment it was last written. */
  list(under: string): AsyncIterable<{ key: string; writtenAt: Date }>;
  /** Does no harm to a key that holds nothing. */
  delete(key: string): Promise<void>;
}
