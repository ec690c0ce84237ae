declare module "yazl" {
  import type { Readable } from "node:stream";

  /** Types for the part of the package that the tests use, because the package includes none. */
  export class ZipFile {
    readonly outputStream: Readable;
    addBuffer(
      content: Buffer,
      path: string,
      options?: { mtime?: Date; mode?: number; compress?: boolean; compressionLevel?: number },
    ): void;
    addEmptyDirectory(path: string, options?: { mtime?: Date; mode?: number }): void;
    end(options?: { forceZip64Format?: boolean; comment?: string }): void;
  }
}
