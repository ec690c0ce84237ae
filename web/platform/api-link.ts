import { ApolloLink, type DocumentNode, Observable } from "@apollo/client";
import { print } from "@apollo/client/utilities";
import { type AskedOperation, byHashOrText, send } from "./post-graphql.ts";

/** A document of Apollo Client as it is asked for; the generator has put its hash on it. */
export function operationOf(document: DocumentNode, name?: string): AskedOperation {
  const { __meta__ } = document as { __meta__?: { hash?: string } };
  return { name, hash: __meta__?.hash, text: () => print(document) };
}

/** Asks the api. Less than Apollo Client's own link: one address, POST alone, answers in one piece. */
export const apiLink = new ApolloLink(
  (operation) =>
    new Observable((observer) => {
      const given = new AbortController();
      const { headers } = operation.getContext() as { headers?: Record<string, string> };
      const { query, operationName, variables } = operation;
      byHashOrText(operationOf(query, operationName), (asked) =>
        send<Record<string, unknown>>(
          { ...asked, variables },
          { ...(headers ? { headers } : {}), signal: given.signal },
        ),
      ).then(
        (answer) => {
          observer.next(answer as ApolloLink.Result);
          observer.complete();
        },
        (error: unknown) => observer.error(error),
      );
      return () => given.abort();
    }),
);
