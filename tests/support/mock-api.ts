import { vi } from "vitest";
import { mockGraphqlResponse } from "./render-web.tsx";

/** Operation that reached the mock API. */
export interface MockedRequest {
  readonly operation: string;
  readonly variables: Record<string, unknown>;
  readonly token: string | null;
}

/** Data of a response, a {@link MockedError}, or a function that returns either for the variables. */
export type MockedResponse = object | ((variables: Record<string, unknown>) => unknown);

/** GraphQL error from the mock API. */
export class MockedError {
  constructor(
    readonly code: string,
    readonly message: string,
    readonly fields?: Record<string, string[]>,
    readonly reason?: string,
  ) {}
}

/** Mocks the API by operation name for pages that don't use Apollo. Returns a list that collects the operations it receives. */
export function mockApi(answers: Record<string, MockedResponse>): MockedRequest[] {
  const operations: MockedRequest[] = [];
  vi.stubGlobal("fetch", async (_url: string, init: { body: string; headers: HeadersInit }) => {
    const { operationName: operation, variables } = JSON.parse(init.body) as {
      operationName: string;
      variables: Record<string, unknown>;
    };
    operations.push({ operation, variables, token: new Headers(init.headers).get("authorization") });
    if (!(operation in answers)) throw new TypeError("Failed to fetch");
    const known = answers[operation];
    const answer: unknown = typeof known === "function" ? await known(variables) : known;
    if (!(answer instanceof MockedError)) return mockGraphqlResponse({ data: answer });
    const { code, message, fields, reason } = answer;
    const extensions = { code, ...(fields ? { fields } : {}), ...(reason ? { reason } : {}) };
    return mockGraphqlResponse({ data: null, errors: [{ message, extensions }] });
  });
  return operations;
}
