import type { Fetcher } from "@graphiql/toolkit";
import { GRAPHQL_URL } from "#web/platform/post-graphql.ts";
import { sendWithSession } from "#web/platform/refresh-session.ts";
import { getErrorCode } from "#web/platform/server-error.ts";

let pastedToken = "";

/** Sets the personal access token that replaces the session. It is kept in memory until the page is closed. Empty for none. */
export function setToken(token: string): void {
  pastedToken = token;
}

/** Sends an operation with the pasted token or the portal's session, and requests its cost. */
export const runOperation: Fetcher = (params) => {
  const send = async (token: string | null) => {
    const headers = new Headers({ "Content-Type": "application/json", "X-Query-Cost": "1" });
    if (token) headers.set("Authorization", `Bearer ${token}`);
    const response = await fetch(GRAPHQL_URL, { method: "POST", headers, body: JSON.stringify(params) });
    return (await response.json()) as object;
  };
  return pastedToken
    ? send(pastedToken)
    : sendWithSession(send, (answer) => getErrorCode(answer) === "UNAUTHENTICATED");
};
