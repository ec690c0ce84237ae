import { type DocumentNode, type OperationDefinitionNode, valueFromASTUntyped } from "graphql";
import { hash } from "node:crypto";
import { beforeEach, expect, test, vi } from "vitest";
import operations from "#schema/operations.json" with { type: "json" };
import { FakeUpload, holdUploads } from "#tests/support/fake-upload.ts";
import { mockGraphqlResponse, resetSession } from "#tests/support/render-web.tsx";
import { createApolloClient } from "#web/platform/data-layer.tsx";
import { uploadGraphql } from "#web/platform/upload-graphql.ts";
import { isResetTokenValid } from "#web/access/accounts/reset-password.tsx";
import * as generated from "#web/generated/graphql.ts";

interface SentOperation {
  operationName: string;
  query?: string;
  extensions?: { persistedQuery: { version: number; sha256Hash: string } };
  variables: object;
}

const extensions = { code: "BAD_USER_INPUT", reason: "PERSISTED_QUERY_NOT_FOUND" };
const unknown = { errors: [{ message: "PersistedQueryNotSupported", extensions }] };
let sent: SentOperation[];

/** Simulates a server of another release, which knows no hashes but accepts operation texts. */
function playOtherRelease(data: object) {
  vi.stubGlobal("fetch", async (_url: string, init: { body: string }) => {
    const body = JSON.parse(init.body) as SentOperation;
    sent.push(body);
    return body.query ? mockGraphqlResponse({ data }) : mockGraphqlResponse(unknown, 400);
  });
}

beforeEach(() => {
  resetSession();
  sent = [];
});

/** The variables of an operation that the client sends when it gives none. */
const getDefaults = (operation: OperationDefinitionNode | undefined): Record<string, unknown> =>
  Object.fromEntries(
    (operation?.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );

test("sends every operation by a hash the server knows, without text", async () => {
  playOtherRelease({});
  const client = createApolloClient();
  const options = { fetchPolicy: "no-cache", errorPolicy: "all" } as const;
  const documents = Object.entries(generated as Record<string, unknown>).filter(([name]) => name.endsWith("Document"));
  expect(documents.length).toBeGreaterThan(100);
  for (const [name, value] of documents) {
    sent = [];
    const document = value as DocumentNode;
    const operation = document.definitions.find(
      (one): one is OperationDefinitionNode => one.kind === "OperationDefinition",
    );
    if (operation?.operation === "mutation") await client.mutate({ mutation: document, ...options });
    else await client.query({ query: document, ...options });
    const [first, second] = sent;
    const sha256Hash = hash("sha256", second?.query ?? "");
    const [variables, persistedQuery] = [getDefaults(operation), { version: 1, sha256Hash }];
    expect(first, name).toEqual({ operationName: operation?.name?.value, variables, extensions: { persistedQuery } });
    expect(operations).toHaveProperty([sha256Hash], second?.query);
  }
});

test("sends the text to a server of another release and uses its response", async () => {
  playOtherRelease({ me: { __typename: "User", id: "1", sessions: [] } });
  expect((await createApolloClient().query({ query: generated.SessionsDocument })).data?.me.sessions).toEqual([]);
  expect([sent.map(({ query }) => query !== undefined), sent[1]?.extensions]).toEqual([[false, true], undefined]);
});

test("also sends the text from pages without Apollo Client", async () => {
  playOtherRelease({ isResetTokenValid: true });
  expect(await isResetTokenValid("secret")).toBe(true);
  expect(sent).toMatchObject([
    { operationName: "IsResetTokenValid", extensions: { persistedQuery: { version: 1 } } },
    { operationName: "IsResetTokenValid", query: expect.stringContaining("isResetTokenValid") },
  ]);
  expect(sent.map(({ variables }) => variables)).toEqual(Array(2).fill({ input: { resetToken: "secret" } }));
});

test("reloads a page once whose fields the server doesn't know, as after going back, and says so", async () => {
  const reload = vi.fn();
  vi.stubGlobal("location", Object.assign(new URL(window.location.href), { reload }));
  const fault = { message: 'Cannot query field "new" on type "Session".', extensions: { code: "BAD_USER_INPUT" } };
  vi.stubGlobal("fetch", async (_url: string, { body }: { body: string }) =>
    mockGraphqlResponse((JSON.parse(body) as SentOperation).query ? { errors: [fault] } : unknown, 400),
  );
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(createApolloClient().query({ query: generated.SessionsDocument })).rejects.toThrow(
      "The portal has changed since you opened this page.",
    );
  expect(reload).toHaveBeenCalledOnce();
});

test("sends uploaded files again along with the text", async () => {
  holdUploads();
  const build = { id: "1", stage: "PRODUCTION_OLD_XT101" as const, stageLabel: "", version: "1.0" };
  const input = { softwareStage: "PRODUCTION_OLD_XT101" as const, version: "1.0" };
  const answer = uploadGraphql(
    generated.UploadSoftwareDocument,
    { input, installationFile: new File(["MZ"], "setup.exe") },
    { onProgress: () => {}, onForbidden: () => {}, signal: new AbortController().signal },
  );
  await vi.waitFor(() => expect(FakeUpload.begun).toHaveLength(1));
  FakeUpload.begun[0]?.answer(unknown, 400);
  await vi.waitFor(() => expect(FakeUpload.begun).toHaveLength(2));
  FakeUpload.begun[1]?.answer({ data: { uploadSoftware: build } });
  expect((await answer).uploadSoftware).toEqual(build);
  const read = ({ body }: FakeUpload) => JSON.parse(body.get("operations") as string) as SentOperation;
  const [first, second] = FakeUpload.begun.map(read);
  expect(first?.query).toBeUndefined();
  expect(second?.query).toContain("uploadSoftware(");
  expect(FakeUpload.begun.map(({ body }) => (body.get("0") as File).name)).toEqual(["setup.exe", "setup.exe"]);
});
