declare module "pg-copy-streams" {
  import type { Readable, ReadableOptions, Writable, WritableOptions } from "node:stream";
  import type { Connection, Submittable } from "pg";

  /** Creates a query that streams the output of `COPY … TO STDOUT`, to pass to `client.query`. */
  export function to(
    sql: string,
    options?: ReadableOptions,
  ): Readable & Submittable & { submit(connection: Connection): void; readonly rowCount: number | null };

  /** Creates a query that streams the input of `COPY … FROM STDIN`, to pass to `client.query`. */
  export function from(
    sql: string,
    options?: WritableOptions,
  ): Writable & Submittable & { submit(connection: Connection): void; readonly rowCount: number | null };
}
