import { ApolloLink, type DocumentNode, Observable } from "@apollo/client";
import { print } from "@apollo/client/utilities";
import { type PersistedOperation, sendPersisted, postOperation } from "./post-graphql.ts";

/** Converts an Apollo Client document to an operation. The code generator has added its hash. */
export function toOperation(document: DocumentNode, name?: string): PersistedOperation {
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
      sendPersisted(toOperation(query, operationName), (body) =>
        postOperation<Record<string, unknown>>({ ...body, variables }, { headers, signal: given.signal }),
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
