import { ApolloClient, ApolloLink, InMemoryCache, type Observable } from "@apollo/client";
import { catchError, from, mergeMap, of, throwError } from "rxjs";
import { codeOf, NetworkFailure, problemsOf, reasonOf } from "#web/ui/server-error.ts";
import { apiLink } from "./api-link.ts";
import { leadAway } from "./lead-away.ts";
import { currentPlace, goTo } from "./navigator.ts";
import { loginHref, paths } from "./paths.ts";
import { accessToken, refreshSession } from "./refresh-session.ts";
import { currentSession, viewIsOver } from "./session.ts";

type Answer = ApolloLink.Result;

/** Sends the access token along; on UNAUTHENTICATED refreshes once and repeats the call once (spec, public §7). */
export const sessionLink = new ApolloLink((operation, forward) => {
  const send = (token: string | null): Observable<Answer> => {
    operation.setContext(({ headers }: { headers?: Record<string, string> }) => ({
      headers: { ...headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    }));
    return forward(operation);
  };
  return from(accessToken()).pipe(
    mergeMap((token) =>
      send(token).pipe(mergeMap((answer) => (token && isUnauthenticated(answer) ? again(token, answer) : of(answer)))),
    ),
  );

  function again(token: string, refused: Answer): Observable<Answer> {
    return from(refreshSession(token)).pipe(
      mergeMap((outcome) => {
        if (outcome === "refreshed") return send(currentSession()?.accessToken ?? null);
        if (outcome === "unreachable") return throwError(() => new NetworkFailure("No answer from the server."));
        if (outcome === "ended" && !currentSession()) leadToLogin();
        return of(refused);
      }),
    );
  }
});

/**
 * Leads to the error pages: FORBIDDEN to 403, no answer to maintenance, which remembers the place. An operation with
 * the context `staysOnPage` tells of a lost answer itself: a payment's form must not go with what was typed into it.
 */
export const errorPagesLink = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    mergeMap((answer) => {
      if (codeOf(answer) === "FORBIDDEN") leadAway(reasonOf(answer));
      return of(answer);
    }),
    catchError((error: unknown) => {
      if (!isAborted(error) && problemsOf(error).length === 0 && !operation.getContext().staysOnPage)
        goTo(paths.maintenance.href(), { state: { from: currentPlace() } });
      return throwError(() => error);
    }),
  ),
);

/** What a list does not hold any more is gone. */
const replaced = { merge: false } as const;

/** A client with an empty cache; each signed-in user gets one of their own. */
export function createApolloClient(): ApolloClient {
  return new ApolloClient({
    link: ApolloLink.from([errorPagesLink, sessionLink, apiLink]),
    cache: new InMemoryCache({
      typePolicies: {
        User: { fields: { blockedMachines: replaced, contacts: replaced, comments: replaced, licences: replaced } },
      },
    }),
    defaultOptions: { watchQuery: { fetchPolicy: "cache-and-network" } },
  });
}

/** The page's guard may have been first, when the session went from the storage. */
function leadToLogin(): void {
  const place = currentPlace();
  if (viewIsOver()) return;
  if (!place.startsWith(paths.login.href())) goTo(loginHref(place), { replace: true });
}

function isUnauthenticated(answer: Answer): boolean {
  return codeOf(answer) === "UNAUTHENTICATED";
}

function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
