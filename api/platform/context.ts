import type { MikroORM } from "@mikro-orm/postgresql";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Scope } from "#schema/personal-access-token.ts";
import type { Role } from "#schema/roles.ts";
import type { StaffRole } from "#schema/staff-roles.ts";
import type { Config } from "./config.ts";
import type { Clock } from "./clock.ts";
import type { Cookies } from "./http/cookies.ts";
import type { EntityManager } from "./database/database.ts";
import type { EncryptionKeys } from "./keys/encryption-keys.ts";
import { AppError } from "./errors.ts";
import type { Files } from "./files/files.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Payments } from "./payments/payments.ts";
import type { RateLimits } from "./limits/rate-limits.ts";
import type { ReleaseKeys } from "./keys/release-keys.ts";
import type { Reads } from "./database/replica.ts";
import type { ReportPool } from "./database/report-pool.ts";
import type { SigningKeys } from "./keys/signing-keys.ts";

/** The shared services of a process. They are created in `server.ts` and passed on, never imported as globals. */
export interface Services {
  readonly config: Config;
  readonly lifecycle: Lifecycle;
  readonly log: Logger;
  readonly clock: Clock;
  readonly orm: MikroORM;
  /** The ORM's connection pool, used directly for prepared statements on hot paths. */
  readonly pool: Pool;
  /** Separate connections for reports. */
  readonly reportPool: ReportPool;
  /** Reads that may use a replica, because they tolerate data that is a few seconds old. */
  readonly reads: Reads;
  readonly keys: SigningKeys;
  readonly encryptionKeys: EncryptionKeys;
  readonly releaseKeys: ReleaseKeys;
  readonly rateLimits: RateLimits;
  readonly jobs: Jobs;
  readonly payments: Payments;
  readonly files: Files;
}

/** A personal access token and the scopes its owner's role may use. */
export interface ActorToken {
  readonly id: string;
  readonly scopes: ReadonlySet<Scope>;
  /** True if the token isn't accepted from the caller's address. It may then do nothing. */
  readonly isRefusedHere?: boolean;
}

/** The caller, identified by the access token of an active session or by a personal access token. */
export interface Actor {
  readonly userId: string;
  /** Null for a personal access token, and for background work that outlives its session. */
  readonly sessionId: string | null;
  readonly role: Role;
  /** Roles of an admin. Without any, the admin is an owner (decision 0059). */
  readonly staffRoles?: readonly StaffRole[];
  /** Set for callers with a personal access token, which are limited to its scopes. */
  readonly token?: ActorToken;
  /** True for an admin who must set up two-step sign-in before doing anything else. */
  readonly mustSetUpTwoStep?: boolean;
  /** True if this session proved the user's identity in the last 10 minutes (decision 0059). */
  readonly hasRecentProof?: boolean;
  /** ID of the admin who views the portal as this customer. Such a caller may only read. */
  readonly viewerId?: string;
}

export interface RequestOrigin {
  readonly requestId: string;
  readonly ip: string;
  readonly userAgent: string;
  /** Missing in jobs and tests of actions, which have no response to send cookies with. */
  readonly cookies?: Cookies;
}

const created = Symbol("unit of work");

/**
 * Creates the unit of work when it is first needed. Licence checks and queries answered by SQL don't need one. `em` is a
 * getter on the prototype, so Apollo's copy of a context doesn't create it. A copy with `{ ...context }` has no `em`,
 * which the compiler checks.
 */
class UnitOfWork {
  declare [created]?: EntityManager;

  get em(): EntityManager {
    return (this[created] ??= (this as unknown as Services).orm.em.fork() as EntityManager);
  }
}

/**
 * Everything an action needs: the process's services, its own unit of work, the caller and the origin of the request.
 * Every entry point (GraphQL, REST, jobs, demo data, tests) creates one and passes it as the first argument.
 */
export interface Context extends Services, UnitOfWork {
  /** Null for visitors, jobs and the add-in. */
  readonly actor: Actor | null;
  readonly origin: RequestOrigin;
}

/**
 * Returns the caller.
 * @throws AppError UNAUTHENTICATED for visitors
 */
export function requireActor({ actor }: Pick<Context, "actor">): Actor {
  if (!actor) throw new AppError("UNAUTHENTICATED");
  return actor;
}

/**
 * Returns the ID of the caller.
 * @throws AppError UNAUTHENTICATED for visitors
 */
export const getCallerId = (context: Pick<Context, "actor">): string => requireActor(context).userId;

/**
 * Returns an IP address in its own family. A socket for both families writes IPv4 addresses as IPv6, so that all of them
 * would seem to be in one network.
 */
export const toPlainAddress = (ip: string): string => ip.replace(/^::ffff:(?=\d+\.)/i, "");

/** Creates the context of one request, job or test. */
export function createContext(
  services: Services,
  given: { actor?: Actor | null; origin?: Partial<RequestOrigin> } = {},
): Context {
  const { ip = "127.0.0.1", ...origin } = given.origin ?? {};
  return Object.assign(new UnitOfWork(), services, {
    actor: given.actor ?? null,
    origin: { requestId: "internal", userAgent: "", ...origin, ip: toPlainAddress(ip) },
  });
}
