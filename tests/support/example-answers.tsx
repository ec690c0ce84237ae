import { ApolloClient, ApolloLink, InMemoryCache, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { execute, type GraphQLFieldResolver, getNullableType, isEnumType, isListType, isScalarType } from "graphql";
import type { ReactNode } from "react";
import { renderWeb } from "./render-web.tsx";
import { sdl as schema } from "./sdl.ts";

const dates = { Date: "2026-09-30", DateTime: "2026-09-30T02:00:00.000Z" };
const texts = { ID: "0192a4de-7a51-7bd4-9f2e-3f1f6d0c1a2b", String: "example" };
const examples: Readonly<Record<string, unknown>> = { Boolean: true, ...dates, Float: 1, Int: 1, ...texts };

/** Returns an example of the field's type. Lists have one item. */
const resolveExample: GraphQLFieldResolver<unknown, unknown> = (_source, _args, _context, { returnType }) => {
  const type = getNullableType(returnType);
  const item = isListType(type) ? getNullableType(type.ofType) : type;
  const example = isScalarType(item) ? examples[item.name] : isEnumType(item) ? item.getValues()[0]?.value : {};
  return isListType(type) ? [example] : example;
};

/** Renders a part of the portal in which every query is answered with examples of the schema's types. */
export function renderWithExamples(part: ReactNode, at: string) {
  const link = new ApolloLink(
    ({ query, variables }) =>
      new Observable((observer) => {
        const answer = execute({ schema, document: query, variableValues: variables, fieldResolver: resolveExample });
        void Promise.resolve(answer).then((result) => {
          observer.next(result as ApolloLink.Result);
          observer.complete();
        });
      }),
  );
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  return renderWeb(<ApolloProvider client={client}>{part}</ApolloProvider>, { at });
}
