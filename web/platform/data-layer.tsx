import { ApolloProvider } from "@apollo/client/react";
import { type ReactNode, useState } from "react";
import { getSession, hasViewEnded, useSession } from "./session.ts";
import { ApolloClient, ApolloLink, InMemoryCache, type Observable } from "@apollo/client";
import { OperationTypeNode } from "graphql";
import { catchError, from, mergeMap, of, throwError } from "rxjs";
import { getErrorCode, isAborted, NetworkFailure, getProblems, getErrorReason } from "./server-error.ts";
import { apiLink } from "./api-link.ts";
import { handleForbidden } from "./handle-forbidden.ts";
import { getCurrentPlace, goTo } from "./navigator.ts";
import { loginHref, paths } from "./paths.ts";
import { getAccessToken, refreshSession } from "./refresh-session.ts";
import { NOT_PROVED, requestProof } from "./step-up.ts";

/** Provides an Apollo client per user, so no user sees data that was cached for another one. */
export default function DataLayer({ children }: { children: ReactNode }) {
  const userId = useSession()?.claims.id ?? "visitor";
  return <ClientOfOneUser key={userId}>{children}</ClientOfOneUser>;
}

function ClientOfOneUser({ children }: { children: ReactNode }) {
  const [client] = useState(createApolloClient);
  return <ApolloProvider client={client}>{children}</ApolloProvider>;
}

/**
 * Opens the dialog on STEP_UP_REQUIRED and sends the operation again after the proof, so the form loses nothing (decision
 * 0059). If the user cancels, the form shows {@link NOT_PROVED}.
 */
const stepUpLink = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    mergeMap((answer) => {
      if (getErrorCode(answer) !== "STEP_UP_REQUIRED") return of(answer);
      return from(requestProof()).pipe(
        mergeMap((proved) => (proved ? forward(operation) : of(describeCancelledProof(answer)))),
      );
    }),
  ),
);

function describeCancelledProof(answer: ApolloLink.Result): ApolloLink.Result {
  return { ...answer, errors: (answer.errors ?? []).map((error) => ({ ...error, message: NOT_PROVED })) };
}

type Answer = ApolloLink.Result;

/** Sends the access token with each call. On UNAUTHENTICATED, refreshes the session and repeats the call once. */
const sessionLink = new ApolloLink((operation, forward) => {
  const send = (token: string | null): Observable<Answer> => {
    operation.setContext(({ headers }: { headers?: Record<string, string> }) => ({
      headers: { ...headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    }));
    return forward(operation);
  };
  const isPageLoad = operation.getContext().isPageLoad === true;
  return from(getAccessToken(isPageLoad)).pipe(
    mergeMap((token) =>
      send(token).pipe(mergeMap((answer) => (token && isUnauthenticated(answer) ? again(token, answer) : of(answer)))),
    ),
  );

  function again(token: string, refused: Answer): Observable<Answer> {
    return from(refreshSession(token, isPageLoad)).pipe(
      mergeMap((outcome) => {
        if (outcome === "refreshed") return send(getSession()?.accessToken ?? null);
        if (outcome === "unreachable") return throwError(() => new NetworkFailure("The server didn't respond."));
        if (outcome === "ended" && !getSession()) goToLogin();
        return of(refused);
      }),
    );
  }
});

/**
 * Creates the link that opens the error pages. FORBIDDEN leads to the 403 page. A page that can't load its data because the
 * network is down leads to the maintenance page, which returns to it later. Every other failure leaves the user on the page,
 * with the input kept, and the caller shows it. This covers mutations, operations with the context `staysOnPage`, and
 * queries sent after the page has loaded, such as queries of its dialogs.
 */
function createErrorPagesLink(): ApolloLink {
  /** Path of the page whose data has loaded. */
  let loadedPath: string | null = null;
  return new ApolloLink((operation, forward) => {
    const path = window.location.pathname;
    const isPageLoad = () =>
      operation.operationType === OperationTypeNode.QUERY && !operation.getContext().staysOnPage && loadedPath !== path;
    operation.setContext({ isPageLoad: isPageLoad() });
    return forward(operation).pipe(
      mergeMap((answer) => {
        if (getErrorCode(answer) === "FORBIDDEN") handleForbidden(getErrorReason(answer));
        if (isPageLoad() && getProblems(answer).length === 0) loadedPath = path;
        return of(answer);
      }),
      catchError((error: unknown) => {
        // Don't interrupt users who have gone to another page in the meantime.
        const isShown = window.location.pathname === path;
        if (!isAborted(error) && getProblems(error).length === 0 && isShown && isPageLoad())
          // Going back from there would fail again.
          goTo(paths.maintenance.href(), { replace: true, state: { from: getCurrentPlace() } });
        return throwError(() => error);
      }),
    );
  });
}

/** A list from the API replaces the cached list, so deleted entries disappear. */
const replaced = { merge: false } as const;
const merged = { merge: true } as const;

/** Creates a client with an empty cache. Each signed-in user gets a separate client. */
export function createApolloClient(): ApolloClient {
  return new ApolloClient({
    link: ApolloLink.from([createErrorPagesLink(), stepUpLink, sessionLink, apiLink]),
    cache: new InMemoryCache({
      typePolicies: {
        // The number of entries of a run depends on the filter, so each list keeps its own entries.
        AuditEntry: { keyFields: false },
        // A document counts in several figures, each with another amount.
        TaxEntry: { keyFields: false },
        User: { fields: { blockedMachines: replaced, contacts: replaced, comments: replaced, licences: replaced } },
        // Without an ID, the fields of one query would replace those of another, which would be sent again.
        UserSummary: merged,
        Dashboard: merged,
        DashboardActivity: merged,
      },
    }),
    defaultOptions: { watchQuery: { fetchPolicy: "cache-and-network" } },
  });
}

/** Opens the sign-in page unless the page's guard has already done so. */
function goToLogin(): void {
  const place = getCurrentPlace();
  if (hasViewEnded()) return;
  if (!place.startsWith(paths.login.href())) goTo(loginHref(place), { replace: true });
}

function isUnauthenticated(answer: Answer): boolean {
  return getErrorCode(answer) === "UNAUTHENTICATED";
}
