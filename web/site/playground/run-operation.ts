import type { Fetcher } from "@graphiql/toolkit";
import { buildMultipartBody } from "#web/platform/multipart-body.ts";
import { GRAPHQL_URL } from "#web/platform/post-graphql.ts";
import { sendWithSession } from "#web/platform/refresh-session.ts";
import { getErrorCode } from "#web/platform/server-error.ts";

let pastedToken = "";
let files: readonly File[] = [];

/** Sets the personal access token that replaces the session. It is kept in memory until the page is closed. Empty for none. */
export function setToken(token: string): void {
  pastedToken = token;
}

/** Sets the files to upload. A variable whose value is the name of one sends it. */
export function setFiles(chosen: readonly File[]): void {
  files = chosen;
}

/** Sends an operation with the pasted token or the portal's session, and requests its cost. */
export const runOperation: Fetcher = (params) => {
  const { variables = {}, ...operation } = params as { variables?: Readonly<Record<string, unknown>> };
  const findFile = (value: unknown) => files.find(({ name }) => name === value);
  const send = async (token: string | null) => {
    const headers = new Headers({ "X-Query-Cost": "1", "Apollo-Require-Preflight": "true" });
    if (token) headers.set("Authorization", `Bearer ${token}`);
    const isUpload = Object.values(variables).some(findFile);
    if (!isUpload) headers.set("Content-Type", "application/json");
    const given = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, findFile(value) ?? value]),
    );
    const body = isUpload ? buildMultipartBody(operation, given) : JSON.stringify(params);
    return (await (await fetch(GRAPHQL_URL, { method: "POST", headers, body })).json()) as object;
  };
  return pastedToken
    ? send(pastedToken)
    : sendWithSession(send, (answer) => getErrorCode(answer) === "UNAUTHENTICATED");
};
