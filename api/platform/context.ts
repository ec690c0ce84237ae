import type { MikroORM } from "@mikro-orm/postgresql";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Scope } from "#schema/scopes.ts";
import type { Config } from "./config.ts";
import type { Clock } from "./clock.ts";
import type { EntityManager } from "./database.ts";
import type { Files } from "./files/files.ts";
import type { Jobs } from "./jobs.ts";
import type { Payments } from "./payments/payments.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { ReportPool } from "./report-pool.ts";
import type { SigningKeys } from "./signing-keys.ts";

/** What a process has one of each; made in `server.ts`, handed on, never imported as a global. */
export interface Services {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly orm: MikroORM;
  /** The hot lane: named statements on the ORM's own pool. */
  readonly pool: Pool;
  /** Connections for reports alone. */
  readonly reportPool: ReportPool;
  readonly keys: SigningKeys;
  readonly rateLimits: RateLimits;
  readonly jobs: Jobs;
  readonly payments: Payments;
  readonly files: Files;
}

/** The `rol` claim. */
export type Role = "regular" | "corporate" | "admin";

/** What a personal access token brings: its id, and the scopes that its owner's role may have. */
export interface ActorToken {
  readonly id: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** Who asks, as the access token and the live session say, or a personal access token. */
export interface Actor {
  readonly userId: string;
  /** Null with a personal access token, and for work that goes on after its session. */
  readonly sessionId: string | null;
  readonly role: Role;
  /** Set where a personal access token asks instead of a session: only what its scopes cover is open to it. */
  readonly token?: ActorToken;
  /** An admin who has yet to set two-step sign-in up, as the operator asks: may do nothing else. */
  readonly mustSetUpTwoStep?: boolean;
  /** The admin who looks, when this is a customer as whom an admin views the portal: it may only read. */
  readonly viewerId?: string;
}

/** Where a request came from. */
export interface RequestOrigin {
  readonly requestId: string;
  readonly ip: string;
  readonly userAgent: string;
}

const made = Symbol("unit of work");

/**
 * The unit of work, made when it is first needed: the add-in's daily question goes without, as does what SQL answers
 * alone. No property of the object itself, so that Apollo's copy of a context does not need it either; a copy by
 * `{ ...context }` has none, which the compiler knows.
 */
class UnitOfWork {
  declare [made]?: EntityManager;

  get em(): EntityManager {
    return (this[made] ??= (this as unknown as Services).orm.em.fork() as EntityManager);
  }
}

/**
 * Everything an action needs: the process's services, a unit of work of its own, who asks and from where.
 * Every door (GraphQL, REST, jobs, demo data, tests) makes one and passes it as the first argument.
 */
export interface Context extends Services, UnitOfWork {
  /** Null for a visitor, a job or a machine. */
  readonly actor: Actor | null;
  readonly origin: RequestOrigin;
}

/** A context for one request, job or test. */
export function createContext(
  services: Services,
  asked: { actor?: Actor | null; origin?: Partial<RequestOrigin> } = {},
): Context {
  return Object.assign(new UnitOfWork(), services, {
    actor: asked.actor ?? null,
    origin: { requestId: "internal", ip: "127.0.0.1", userAgent: "", ...asked.origin },
  });
}
