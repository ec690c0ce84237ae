import { vi } from "vitest";
import { graphqlAnswer } from "./render-web.tsx";

/** One operation that reached the played api. */
export interface Asked {
  readonly operation: string;
  readonly variables: Record<string, unknown>;
  readonly token: string | null;
}

/** Data of an answer, an error to answer with, or a function of the variables that gives either. */
export type Answer = object | ((variables: Record<string, unknown>) => unknown);

/** An answer that says no, as the api words it. */
export class Refusal {
  constructor(
    readonly code: string,
    readonly message: string,
    readonly fields?: Record<string, string[]>,
    readonly reason?: string,
  ) {}
}

/** Plays the api for pages that post without Apollo: answers by operation name, and keeps what was asked. */
export function playApi(answers: Record<string, Answer>): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal("fetch", async (_url: string, init: { body: string; headers: HeadersInit }) => {
    const { operationName: operation, variables } = JSON.parse(init.body) as {
      operationName: string;
      variables: Record<string, unknown>;
    };
    asked.push({ operation, variables, token: new Headers(init.headers).get("authorization") });
    if (!(operation in answers)) throw new TypeError("Failed to fetch");
    const known = answers[operation];
    const answer: unknown = typeof known === "function" ? await known(variables) : known;
    if (!(answer instanceof Refusal)) return graphqlAnswer({ data: answer });
    const { code, message, fields, reason } = answer;
    const extensions = { code, ...(fields ? { fields } : {}), ...(reason ? { reason } : {}) };
    return graphqlAnswer({ data: null, errors: [{ message, extensions }] });
  });
  return asked;
}
