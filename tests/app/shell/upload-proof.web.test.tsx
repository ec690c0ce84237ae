import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createFile, FakeUpload, holdUploads } from "#tests/support/fake-upload.ts";
import { resetSession, signInAs } from "#tests/support/render-web.tsx";
import { UploadSoftwareDocument } from "#web/generated/graphql.ts";
import { formatError } from "#web/platform/server-error.ts";
import { NOT_PROVED, proofRequest } from "#web/platform/step-up.ts";
import { uploadGraphql } from "#web/platform/upload-graphql.ts";

const uploaded = { id: "b-74", stage: 2, stageLabel: "Alpha", version: "7.4.0", versionSource: "given" };
const refusal = { message: "Please confirm that it's you first.", extensions: { code: "STEP_UP_REQUIRED" } };

beforeEach(() => {
  resetSession();
  signInAs("admin");
  holdUploads();
});

/** Starts an upload that the API refuses without a recent proof, and answers the dialog. */
async function uploadWithOldProof(proves: boolean) {
  onTestFinished(proofRequest.subscribe(() => proofRequest.isOpen() && proofRequest.settle(proves)));
  const variables = { input: { softwareStage: 2, version: null }, installationFile: createFile("Setup.exe") };
  const options = { onProgress: vi.fn(), onForbidden: vi.fn(), signal: new AbortController().signal };
  const result = uploadGraphql(UploadSoftwareDocument, variables as never, options).catch((error: unknown) => error);
  await vi.waitFor(() => expect(FakeUpload.begun).toHaveLength(1));
  FakeUpload.begun[0]?.answer({ errors: [refusal] });
  return { result, options };
}

test("sends the same files again after a proof of identity", async () => {
  const { result } = await uploadWithOldProof(true);
  await vi.waitFor(() => expect(FakeUpload.begun).toHaveLength(2));
  const [first, second] = FakeUpload.begun.map(({ body }) => [...body.values()]);
  expect(second).toEqual(first);
  FakeUpload.begun[1]?.answer({ data: { uploadSoftware: uploaded } });
  expect(await result).toEqual({ uploadSoftware: uploaded });
});

test("says that nothing was changed if the user cancels, and stays on the page", async () => {
  const { result, options } = await uploadWithOldProof(false);
  expect(formatError(await result, "Unable to upload.")).toBe(NOT_PROVED);
  expect(FakeUpload.begun).toHaveLength(1);
  expect(options.onForbidden).not.toHaveBeenCalled();
});
