declare module "s3rver" {
  /** The part of the local S3 server that tests use; the package has no types. */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      directory: string;
      silent: boolean;
      configureBuckets: { name: string; configs: string[] }[];
    });
    /** Koa's, in the order in which requests pass through. */
    readonly middleware: ((
      context: { method: string; query: Record<string, string | undefined>; status: number },
      next: () => Promise<unknown>,
    ) => Promise<unknown>)[];
    run(): Promise<{ address: string; port: number }>;
    close(): Promise<void>;
  }
}
