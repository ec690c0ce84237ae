declare module "s3rver" {
  /** Types for the part of the package that the tests use, because the package includes none. */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      directory: string;
      silent: boolean;
      configureBuckets: { name: string; configs: string[] }[];
    });
    /** Koa middleware, in the order of execution. */
    readonly middleware: ((
      context: { method: string; query: Record<string, string | undefined>; status: number },
      next: () => Promise<unknown>,
    ) => Promise<unknown>)[];
    run(): Promise<{ address: string; port: number }>;
    close(): Promise<void>;
  }
}
