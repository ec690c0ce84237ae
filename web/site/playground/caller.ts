import { type Role, useSession } from "#web/platform/session.ts";
import { queryWithToken } from "./run-operation.ts";
import { pastedToken } from "./explorer-state.ts";

/** The user or token that the explorer sends requests with. */
export interface Caller {
  readonly kind: "visitor" | "session" | "token";
  /** Name of the user, or a description of the token. */
  readonly name: string;
  /** Null for visitors and tokens. */
  readonly role: Role | null;
}

/** Labels for the roles. */
export const roleLabels: Record<Role, string> = {
  regular: "Customer",
  corporate: "Corporate customer",
  admin: "Admin",
};

/** Returns the caller as React state. A pasted token takes precedence over the session. */
export function useCaller(): Caller {
  const pasted = pastedToken.use();
  const session = useSession();
  if (pasted) return { kind: "token", name: pasted.name, role: null };
  if (!session) return { kind: "visitor", name: "", role: null };
  const { givenName, familyName, email, role } = session.claims;
  return { kind: "session", name: `${givenName} ${familyName}`.trim() || email, role };
}

const tokenPattern = /^xpat_[\w-]{43}$/;

/**
 * Checks a personal access token and uses it for all further requests.
 * @returns null, or an error message
 */
export async function pasteToken(text: string): Promise<string | null> {
  const secret = text.trim();
  if (!tokenPattern.test(secret)) return "A personal access token starts with xpat_ and has 48 characters.";
  const { data, errors } = await queryWithToken(secret, "{ me { firstName lastName } }");
  const [problem] = errors ?? [];
  const code = problem?.extensions?.code;
  if (code === "UNAUTHENTICATED")
    return "We don't recognise this token. It may have been revoked, expired or mistyped.";
  // A token without access to the profile is valid, too.
  if (problem && code !== "FORBIDDEN") return problem.message;
  const me = (data as { me?: { firstName: string; lastName: string } } | null | undefined)?.me;
  const ending = secret.slice(-4);
  pastedToken.set({ secret, name: me ? `${me.firstName} ${me.lastName}, token …${ending}` : `Token …${ending}` });
  return null;
}
