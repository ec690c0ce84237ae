import type { DocumentNode } from "@apollo/client";
import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { screen } from "@testing-library/react";
import { GraphQLError } from "graphql";
import type { ReactNode } from "react";
import DataLayer from "#web/platform/data-layer.tsx";
import { completeData } from "./complete-data.ts";
import { renderWeb, resetSession, signInAs } from "./render-web.tsx";

/** Answer to an operation of a page that uses Apollo. */
export type Mock = MockLink.MockedResponse;

/**
 * Mocks an operation. `variables` can be a function that gets them and returns whether they match. An answer contains what the
 * operation selects: `completeData` adds the fields that a test leaves out.
 */
export function mockQuery(query: DocumentNode, variables: Mock["request"]["variables"] = {}, maxUsageCount = 1) {
  const answers = (result: Mock["result"] & object): Mock => ({ request: { query, variables }, result, maxUsageCount });
  return {
    returns: (data: Record<string, unknown>) => answers({ data: completeData(query, data) }),
    fails: (code = "INTERNAL", message = "", more: object = {}) =>
      answers({ errors: [new GraphQLError(message, { extensions: { code, ...more } })] }),
  };
}

/** Renders a part of the portal that gets these answers. */
export const renderMocked = (
  mocks: readonly Mock[],
  part: ReactNode,
  at: string | { pathname: string; state: unknown } = "/",
) => renderWeb(<MockedProvider mocks={mocks}>{part}</MockedProvider>, { at });

/** Renders a part of the portal that loads its data from the mock API. */
export const renderLoaded = (part: ReactNode, at = "/") => renderWeb(<DataLayer>{part}</DataLayer>, { at });

/** Ends the session and starts one of that role. */
export function startAs(...session: Parameters<typeof signInAs>): void {
  resetSession();
  signInAs(...session);
}

/** Returns the titles of the columns, as `First | Second`. */
export const listColumns = (part: Pick<typeof screen, "getAllByRole"> = screen, hidden = false) =>
  part
    .getAllByRole("columnheader", { hidden })
    .map(({ textContent }) => textContent)
    .join(" | ");

/** Mocks an error as the answer to the same operation. */
export const failing = ({ request: { query, variables } }: Mock, code?: string) =>
  mockQuery(query, variables).fails(code);
