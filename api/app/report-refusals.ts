import type { ApolloServerPlugin } from "@apollo/server";
import { reportSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import type { Context } from "#api/platform/context.ts";

/** Longest name of an operation in an event, in characters. Clients choose the names of aliases. */
const LONGEST_OPERATION = 200;

/**
 * Records a security event if a request was refused because of the caller's permissions, or needs a proof of identity.
 * @param operation the route, or the path of the GraphQL field
 */
export function reportRefusal(
  context: Context,
  { code, reason }: { readonly code?: unknown; readonly reason?: unknown },
  operation: string,
): void {
  const name = operation.slice(0, LONGEST_OPERATION) || "unknown";
  const userId = context.actor?.viewerId ?? context.actor?.userId ?? null;
  if (code === "STEP_UP_REQUIRED")
    reportSecurityEvent(context, { type: "step-up.required", userId, detail: { operation: name } });
  else if (code === "FORBIDDEN")
    reportSecurityEvent(context, {
      type: "permission.refused",
      userId,
      detail: { operation: name, reason: typeof reason === "string" ? reason : "ROLE" },
    });
}

/** Creates the plugin that reports the first refused field of each GraphQL operation. */
export function createRefusalPlugin(): ApolloServerPlugin<Context> {
  return {
    async requestDidStart() {
      return {
        async willSendResponse({ response, contextValue }) {
          if (response.body.kind !== "single") return;
          const refused = response.body.singleResult.errors?.find(({ extensions }) =>
            ["FORBIDDEN", "STEP_UP_REQUIRED"].includes(String(extensions?.code)),
          );
          if (!refused) return;
          const path = (refused.path ?? []).filter((part) => typeof part === "string").join(".");
          reportRefusal(contextValue, refused.extensions ?? {}, `GraphQL ${path}`);
        },
      };
    },
  };
}
