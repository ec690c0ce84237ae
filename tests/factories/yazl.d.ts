declare module "yazl" {
  import type { Readable } from "node:stream";

  /** Types for the part of the package that the tests use, because the package includes none. */
  export class ZipFile {
    readonly outputStream: Readable;
    addBuffer(content: Buffer, path: string, options?: { mtime?: Date; mode?: number; compress?: boolean }): void;
    end(): void;
  }
}
