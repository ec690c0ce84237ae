declare module "pg-copy-streams" {
  import type { Readable, ReadableOptions } from "node:stream";
  import type { Connection, Submittable } from "pg";

  /** `COPY … TO STDOUT` as a stream of bytes; handed to `client.query`. */
  export function to(
    sql: string,
    options?: ReadableOptions,
  ): Readable & Submittable & { submit(connection: Connection): void };
}
