declare module "pg-copy-streams" {
  import type { Readable, ReadableOptions } from "node:stream";
  import type { Connection, Submittable } from "pg";

  /** Creates a query that streams the output of `COPY … TO STDOUT`, to pass to `client.query`. */
  export function to(
    sql: string,
    options?: ReadableOptions,
  ): Readable & Submittable & { submit(connection: Connection): void };
}
