import type { BucketSettings } from "./files/bucket-settings.ts";

/**
 * The settings of one process, read from the environment once. `null` means that an
 * integration is not set up and its built-in stand-in serves instead.
 */
export interface Config {
  readonly production: boolean;
  readonly port: number;
  /** Without a trailing slash; every link in a mail starts with it, whatever the Host header says. */
  readonly publicUrl: string;
  /** Null: the embedded PostgreSQL under {@link Config.dataDir}. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** Where builds are kept; null: the folder `files` under {@link Config.dataDir}. */
  readonly bucket: BucketSettings | null;
  /** Null: the dev mailbox. */
  readonly smtpUrl: string | null;
  /** Private JWKs as JSON (`{"keys": […]}`); null: generated into the data folder. */
  readonly signingKeys: string | null;
  /** Addresses, networks and names of networks whose word for a client's address is taken; empty: nobody's. */
  readonly trustedProxies: readonly string[];
  readonly rateLimits: boolean;
  /** Null: the payment simulator. */
  readonly stripe: StripeSettings | null;
  /** Whether the documented REST calls take raw card fields (docs/domain.md#provider). */
  readonly acceptsRawCards: boolean;
  /** Null: the embedded list of localities alone. */
  readonly addressProvider: AddressProviderSettings | null;
  /** Admins without two-step sign-in may do nothing but set it up. */
  readonly adminTwoStepRequired: boolean;
  /** Months of licence events that are kept beside the present one; null: all. */
  readonly keepLicenceEventsMonths: number | null;
  /** Measurement id of the analytics tag, used after a visitor's consent alone; null: no analytics. */
  readonly analyticsTagId: string | null;
  /** Whose GraphQL operations are answered: anybody's, or the portal's own alone but for those who may ask anything. */
  readonly graphqlOperations: OperationsLetIn;
  readonly logLevel: string;
}

export const operationsLetIn = ["any", "known"] as const;

/** @see Config.graphqlOperations */
export type OperationsLetIn = (typeof operationsLetIn)[number];

/** How the payment provider is reached. */
export interface StripeSettings {
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret: string;
  /** Null: the provider's own address. Outside production it may be another, such as a simulator elsewhere. */
  readonly url: string | null;
}

/** An online service that completes addresses while they are typed. */
export interface AddressProviderSettings {
  readonly name: "addressfinder" | "google-places";
  readonly apiKey: string;
  /** Without a trailing slash; null: the service's own address. */
  readonly url: string | null;
}
