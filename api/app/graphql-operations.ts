import type { ApolloServerOptions } from "@apollo/server";
import type { DocumentNode } from "graphql";
import { createHash } from "node:crypto";
import operations from "#schema/operations.json" with { type: "json" };
import released from "#schema/released/operations.json" with { type: "json" };
import type { OperationsLetIn } from "#api/platform/config.ts";
import type { Actor, Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";

/** Documents beside the portal's own that are kept parsed. */
const MOST_OTHERS = 100;

/**
 * The operations of our own portal, text by SHA-256 in hex: of this release, and of those before it whose pages may still
 * be open in somebody's tab (decision 0052).
 */
export const knownOperations: ReadonlyMap<string, string> = new Map(
  [...released.releases.map((release) => release.operations), operations].flatMap((each) => Object.entries(each)),
);

/**
 * How Apollo Server finds documents: by hash among {@link knownOperations}, and parsed ones again. Nothing that is sent is
 * ever registered, and whatever else is sent, the portal's own documents stay parsed.
 */
export function operationStores(): Pick<ApolloServerOptions<Context>, "persistedQueries" | "documentStore"> {
  const known = new Map<string, DocumentNode>();
  const others = new Map<string, DocumentNode>();
  const storeOf = (key: string) => (knownOperations.has(hashIn(key)) ? known : others);
  return {
    persistedQueries: {
      cache: {
        get: async (key) => knownOperations.get(hashIn(key)),
        set: async () => undefined,
        delete: async () => false,
      },
    },
    documentStore: {
      get: async (key) => storeOf(key).get(key),
      set: async (key, document) => {
        storeOf(key).set(key, document);
        const [oldest] = others.keys();
        if (others.size > MOST_OTHERS && oldest !== undefined) others.delete(oldest);
      },
      delete: async (key) => storeOf(key).delete(key),
    },
  };
}

/** Apollo puts words of its own before the hash. */
function hashIn(key: string): string {
  return key.slice(-64);
}

/**
 * Where the operator lets the portal's operations in alone, refuses a text that is none of them before it is parsed. Those
 * who come with a personal access token may ask anything, as may an admin's own session: the explorer is theirs. A hash is
 * looked up by Apollo, which says when it is unknown.
 * @param query the operation's text as it was sent, of whatever type
 * @throws AppError BAD_USER_INPUT with the reason OPERATION_NOT_KNOWN
 */
export function refuseUnknown(letIn: OperationsLetIn, query: unknown, actor: Actor | null): void {
  if (letIn === "any" || typeof query !== "string" || mayAskAnything(actor)) return;
  if (knownOperations.has(createHash("sha256").update(query).digest("hex"))) return;
  throw new AppError("BAD_USER_INPUT", {
    message:
      "This server answers the operations of its own portal alone. Please reload the page; programs send a personal access token.",
    reason: "OPERATION_NOT_KNOWN",
  });
}

function mayAskAnything(actor: Actor | null): boolean {
  if (!actor) return false;
  if ("token" in actor && actor.token) return true;
  return actor.role === "admin" && !actor.mustSetUpTwoStep;
}
