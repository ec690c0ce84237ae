import { ApolloLink, type DocumentNode, Observable } from "@apollo/client";
import { print } from "@apollo/client/utilities";
import { type AskedOperation, byHashOrText, send } from "./post-graphql.ts";

/** Converts a document of Apollo Client to an operation. The code generator has added its hash. */
export function operationOf(document: DocumentNode, name?: string): AskedOperation {
  const { __meta__ } = document as { __meta__?: { hash?: string } };
  return { name, hash: __meta__?.hash, text: () => print(document) };
}

/** Sends operations to the API. Replaces Apollo Client's larger HTTP link: one URL, POST only, no multipart responses. */
export const apiLink = new ApolloLink(
  (operation) =>
    new Observable((observer) => {
      const given = new AbortController();
      const { headers } = operation.getContext() as { headers?: Record<string, string> };
      const { query, operationName, variables } = operation;
      byHashOrText(operationOf(query, operationName), (body) =>
        send<Record<string, unknown>>(
          { ...body, variables },
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
