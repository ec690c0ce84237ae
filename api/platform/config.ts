import type { Publisher } from "#schema/software-upload.ts";
import type { BucketSettings } from "./files/bucket-settings.ts";
import type { OperationsConfig } from "./operations-settings.ts";

/**
 * The settings of one process, read once from the environment. `null` means that an integration isn't set up and its
 * built-in replacement is used.
 */
export interface Config {
  readonly production: boolean;
  readonly port: number;
  /** Address to listen on. Outside production, other machines can't connect by default. */
  readonly host: string;
  /** Base URL of the portal, without a trailing slash. Links in emails use it and never the Host header. */
  readonly publicUrl: string;
  /** URL of the database; null for the embedded PostgreSQL in {@link Config.dataDir}. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** Bucket for stored files; null for the folder `files` in {@link Config.dataDir}. */
  readonly bucket: BucketSettings | null;
  /** URL of the SMTP server; null for the dev mailbox. */
  readonly smtpUrl: string | null;
  /** Private JWKs as JSON (`{"keys": […]}`); null for keys generated in the data folder. */
  readonly signingKeys: string | null;
  /** AES-256 keys as a JWK set; null for keys generated in the data folder. */
  readonly encryptionKeys: string | null;
  /** ES256 keys for update manifests as a JWK set, without private parts if manifests are signed offline; null as above. */
  readonly releaseKeys: string | null;
  /** Addresses, networks and network names of proxies trusted to report client addresses. */
  readonly trustedProxies: readonly string[];
  readonly rateLimits: boolean;
  /** True if each response of `/v1` is compared with the OpenAPI document. */
  readonly checksResponses: boolean;
  /** Keys of the payment provider; null for the payment simulator. */
  readonly stripe: StripeSettings | null;
  /** True if the documented REST endpoints accept raw card fields (docs/domain.md#provider). */
  readonly acceptsRawCards: boolean;
  /** Online address provider; null to use only the embedded list of localities. */
  readonly addressProvider: AddressProviderSettings | null;
  /** True if admins must set up two-step sign-in before they can do anything else. */
  readonly adminTwoStepRequired: boolean;
  /** True if admins must have a passkey, and codes of an authenticator app are not enough. */
  readonly adminPasskeyRequired: boolean;
  /** Addresses and networks from which admins may work; empty for all. */
  readonly adminNetworks: readonly string[];
  /** Days after registering in which the first admin may work without two-step sign-in. */
  readonly firstAdminGraceDays: number;
  /** The publisher that must have signed every published installer; null allows unsigned ones. */
  readonly publisher: Publisher | null;
  /** True if the admin who publishes a build must be another one than its uploader (decision 0023). */
  readonly twoPersonRelease: boolean;
  /** Number of past months of licence events to keep; null keeps all. */
  readonly keepLicenceEventsMonths: number | null;
  /** Days after the due date on which customers are reminded of unpaid invoices, ascending; negative before it. */
  readonly invoiceReminderDays: readonly number[];
  /** Measurement ID of the analytics tag, used only after a visitor's consent; null for no analytics. */
  readonly analyticsTagId: string | null;
  /** GraphQL operations that are accepted: any, or only the portal's own (except from admins and access tokens). */
  readonly graphqlOperations: AllowedOperations;
  readonly logLevel: string;
  readonly operations: OperationsConfig;
}

export const allowedOperations = ["any", "known"] as const;

/** @see Config.graphqlOperations */
export type AllowedOperations = (typeof allowedOperations)[number];

export interface StripeSettings {
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret: string;
  /** Alternative URL of the API outside production, such as a simulator's; null for the provider's own. */
  readonly url: string | null;
}

/** An online service that suggests addresses while the user types. */
export interface AddressProviderSettings {
  readonly name: "addressfinder" | "google-places";
  readonly apiKey: string;
  /** Alternative URL without a trailing slash; null for the service's own. */
  readonly url: string | null;
}
