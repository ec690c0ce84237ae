import { ApolloClient, ApolloLink, InMemoryCache, type Observable } from "@apollo/client";
import { OperationTypeNode } from "graphql";
import { catchError, from, mergeMap, of, throwError } from "rxjs";
import { codeOf, isAborted, NetworkFailure, problemsOf, reasonOf } from "./server-error.ts";
import { apiLink } from "./api-link.ts";
import { leadAway } from "./lead-away.ts";
import { currentPlace, goTo } from "./navigator.ts";
import { loginHref, paths } from "./paths.ts";
import { accessToken, refreshSession } from "./refresh-session.ts";
import { currentSession, viewIsOver } from "./session.ts";

type Answer = ApolloLink.Result;

/** Sends the access token along; on UNAUTHENTICATED refreshes once and repeats the call once. */
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
 * Creates the link that leads to the error pages: FORBIDDEN to 403, and a page that can't load its data for want of an
 * answer to maintenance, which returns to the page. Everything else stays where it is, with what was typed, and whoever
 * sent the operation shows the failure: mutations, operations with the context `staysOnPage`, and queries of a page
 * that has loaded, such as those of its dialogs.
 */
export function createErrorPagesLink(): ApolloLink {
  /** Path of the page whose data has loaded. */
  let loadedPath: string | null = null;
  return new ApolloLink((operation, forward) => {
    const path = window.location.pathname;
    const isPageLoad = () =>
      operation.operationType === OperationTypeNode.QUERY && !operation.getContext().staysOnPage && loadedPath !== path;
    return forward(operation).pipe(
      mergeMap((answer) => {
        if (codeOf(answer) === "FORBIDDEN") leadAway(reasonOf(answer));
        if (isPageLoad() && problemsOf(answer).length === 0) loadedPath = path;
        return of(answer);
      }),
      catchError((error: unknown) => {
        // A user who has left the page since is not interrupted on the next one.
        const isShown = window.location.pathname === path;
        if (!isAborted(error) && problemsOf(error).length === 0 && isShown && isPageLoad())
          goTo(paths.maintenance.href(), { state: { from: currentPlace() } });
        return throwError(() => error);
      }),
    );
  });
}

/** What a list does not hold any more is gone. */
const replaced = { merge: false } as const;

/** A client with an empty cache; each signed-in user gets one of their own. */
export function createApolloClient(): ApolloClient {
  return new ApolloClient({
    link: ApolloLink.from([createErrorPagesLink(), sessionLink, apiLink]),
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
