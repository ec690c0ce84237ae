import type { ApolloServerOptions } from "@apollo/server";
import type { DocumentNode } from "graphql";
import { createHash } from "node:crypto";
import operations from "#schema/operations.json" with { type: "json" };
import released from "#schema/released/operations.json" with { type: "json" };
import type { AllowedOperations } from "#api/platform/config.ts";
import type { Actor, Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";

/** Maximum number of parsed documents kept in addition to the portal's own. */
const MAX_OTHER_DOCUMENTS = 100;

/**
 * The texts of the portal's own operations, keyed by their SHA-256 in hex. Includes earlier releases, because their pages
 * may still be open in a browser tab (decision 0052).
 */
export const knownOperations: ReadonlyMap<string, string> = new Map(
  [...released.releases.map((release) => release.operations), operations].flatMap((each) => Object.entries(each)),
);

/**
 * Creates the stores in which Apollo Server looks up documents. Hashes are looked up in {@link knownOperations}, and
 * clients can't register new ones. The portal's own documents stay parsed no matter how many others arrive.
 */
export function createOperationStores(): Pick<ApolloServerOptions<Context>, "persistedQueries" | "documentStore"> {
  const known = new Map<string, DocumentNode>();
  const others = new Map<string, DocumentNode>();
  const getStore = (key: string) => (knownOperations.has(extractHash(key)) ? known : others);
  return {
    persistedQueries: {
      cache: {
        get: async (key) => knownOperations.get(extractHash(key)),
        set: async () => undefined,
        delete: async () => false,
      },
    },
    documentStore: {
      get: async (key) => getStore(key).get(key),
      set: async (key, document) => {
        getStore(key).set(key, document);
        const [oldest] = others.keys();
        if (others.size > MAX_OTHER_DOCUMENTS && oldest !== undefined) others.delete(oldest);
      },
      delete: async (key) => getStore(key).delete(key),
    },
  };
}

/** Returns the hash at the end of a key, without the prefix that Apollo adds. */
function extractHash(key: string): string {
  return key.slice(-64);
}

/**
 * Rejects an unknown operation before it is parsed if the operator allows only the portal's own operations. Personal
 * access tokens and admins' sessions may run any operation, because admins have the explorer. Unknown hashes are
 * rejected by Apollo.
 * @param query the operation's text as received, which may have any type
 * @throws AppError BAD_USER_INPUT with the reason OPERATION_NOT_KNOWN
 */
export function rejectUnknownOperation(letIn: AllowedOperations, query: unknown, actor: Actor | null): void {
  if (letIn === "any" || typeof query !== "string" || canRunAnyOperation(actor)) return;
  if (knownOperations.has(createHash("sha256").update(query).digest("hex"))) return;
  throw new AppError("BAD_USER_INPUT", {
    message:
      "This server only accepts the portal's operations. Reload the page. API clients need a personal access token.",
    reason: "OPERATION_NOT_KNOWN",
  });
}

function canRunAnyOperation(actor: Actor | null): boolean {
  if (!actor) return false;
  if ("token" in actor && actor.token) return true;
  return actor.role === "admin" && !actor.mustSetUpTwoStep;
}
