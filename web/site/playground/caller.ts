import { type Role, useSession } from "#web/platform/session.ts";
import { askWithToken } from "./ask.ts";
import { pastedToken } from "./explorer-state.ts";

/** In whose name the explorer asks. */
export interface Caller {
  readonly kind: "visitor" | "session" | "token";
  /** A person's name, or what is known of a token. */
  readonly name: string;
  /** Null where it is not known, as with a token. */
  readonly role: Role | null;
}

/** Words of a role, as the page says them. */
export const roleWords: Record<Role, string> = { regular: "Customer", corporate: "Corporate customer", admin: "Admin" };

/** The caller as React state: a pasted token before the portal's session. */
export function useCaller(): Caller {
  const pasted = pastedToken.use();
  const session = useSession();
  if (pasted) return { kind: "token", name: pasted.name, role: null };
  if (!session) return { kind: "visitor", name: "", role: null };
  const { givenName, familyName, email, role } = session.claims;
  return { kind: "session", name: `${givenName} ${familyName}`.trim() || email, role };
}

/** What a personal access token looks like. */
const form = /^xpat_[\w-]{43}$/;

/**
 * Asks from now on with a personal access token.
 * @returns null, or the sentence on why it can't be used
 */
export async function pasteToken(text: string): Promise<string | null> {
  const secret = text.trim();
  if (!form.test(secret)) return "A personal access token begins with xpat_ and has 48 characters.";
  const { data, errors } = await askWithToken(secret, "{ me { firstName lastName } }");
  const [problem] = errors ?? [];
  const code = problem?.extensions?.code;
  if (code === "UNAUTHENTICATED") return "This token is not known: it was revoked, has expired, or is mistyped.";
  // One that may not read its owner's profile is good all the same.
  if (problem && code !== "FORBIDDEN") return problem.message;
  const me = (data as { me?: { firstName: string; lastName: string } } | null | undefined)?.me;
  const ending = `token …${secret.slice(-4)}`;
  pastedToken.set({ secret, name: me ? `${me.firstName} ${me.lastName}, ${ending}` : `A ${ending}` });
  return null;
}
