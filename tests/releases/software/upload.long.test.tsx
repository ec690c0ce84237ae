import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { buildShownBuild } from "#tests/factories/software-view.ts";
import { createFile, FakeUpload, holdUploads } from "#tests/support/fake-upload.ts";
import { dropFiles, field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { createAccessToken } from "#tests/support/render-web.tsx";
import { startAs } from "#tests/support/mock-query.tsx";
import { toOperation } from "#web/platform/api-link.ts";
import { UploadSoftwareDocument } from "#web/generated/graphql.ts";
import { builds, openSoftware } from "./open-software.tsx";

beforeEach(() => {
  startAs("admin");
  holdUploads();
});

async function open() {
  const view = openSoftware({ ...builds([buildShownBuild()]), maxUsageCount: 20 });
  await screen.findByText("1–1 of 1");
  return view;
}

const uploadButton = () => screen.queryByRole("button", { name: "Upload" });

async function startUpload(user: Awaited<ReturnType<typeof open>>["user"]): Promise<FakeUpload> {
  fill({ "Software stage": "2" });
  await dropFiles("Installation file", createFile("Setup.exe"));
  await user.click(screen.getByRole("button", { name: "Upload" }));
  await waitFor(() => expect(FakeUpload.begun).toHaveLength(1));
  return FakeUpload.begun[0] as FakeUpload;
}

const uploaded = { id: "b-74", stage: "ALPHA", stageLabel: "Alpha", version: "7.4.0", versionSource: "GIVEN" };
const done = { data: { uploadSoftware: uploaded } };
const SAID = "Version 7.4.0 has been uploaded to Alpha. Publish it when it is ready.";

test("shows the Upload button only while the form has changes", async () => {
  await open();
  expect(uploadButton()).toBeNull();
  fill({ "Software stage": "4" });
  expect(uploadButton()).not.toBeNull();
  fill({ "Software stage": "" });
  expect(uploadButton()).toBeNull();
  await dropFiles("Installation file", createFile("Setup.exe"));
  expect(uploadButton()).not.toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Remove Setup.exe" }));
  expect(uploadButton()).toBeNull();
});

test("accepts each file up to its limit, keeps it after rejecting another, and adds only the first of several", async () => {
  await open();
  for (const [label, good, bad, limit] of [
    ["Installation file", "Setup.EXE", "Setup.msi", 25_600_000],
    ["Application files zip file", "files.zip", "files.zip.exe", 62_914_560],
    ["Vsto file", "Planvarro.vsto", "vsto", 1_024_000],
  ] as const) {
    await dropFiles(label, createFile(bad));
    expect([label, messageUnder(field(label))]).toEqual([label, "File type is not supported."]);
    await dropFiles(label, createFile(good, limit));
    expect([label, messageUnder(field(label))]).toEqual([label, null]);
    await dropFiles(label, createFile(`big-${good}`, limit + 1));
    expect([label, messageUnder(field(label))]).toEqual([label, "File is too large."]);
    expect(screen.getByText(good)).toBeTruthy();
    expect(screen.queryByText(`big-${good}`)).toBeNull();
  }
  await dropFiles("Installation file", createFile("First.exe"), createFile("Second.exe"));
  expect(screen.getByText("First.exe")).toBeTruthy();
  expect(screen.queryByText("Second.exe")).toBeNull();
  expect(screen.getByText(/Only the first file was added/)).toBeTruthy();
});

test("chooses, replaces and removes a file by keyboard", async () => {
  const { user } = await open();
  const click = vi.spyOn(HTMLInputElement.prototype, "click");
  screen.getByRole("button", { name: "Choose a file", description: /^Installation file / }).focus();
  await user.keyboard("{Enter}");
  expect(click.mock.contexts).toEqual([field("Installation file")]);
  // It would replace the label.
  expect(field("Installation file").hasAttribute("aria-label")).toBe(false);
  await user.upload(field("Installation file"), createFile("Setup.exe", 12_345_678));
  expect(screen.getByText("12.3 MB")).toBeTruthy();
  screen.getByRole("button", { name: "Remove Setup.exe" }).focus();
  await user.keyboard(" ");
  expect(screen.queryByText("Setup.exe")).toBeNull();
  expect(document.activeElement).toBe(screen.getAllByRole("button", { name: "Choose a file" })[0]);
});

test("sends files as a multipart request with the session's token", async () => {
  const { user } = await open();
  fill({ Version: " 7.4.0 " });
  await dropFiles("Application files zip file", createFile("files.zip"));
  await dropFiles("Vsto file", createFile("Planvarro.vsto"));
  const { address, headers, body } = await startUpload(user);
  expect(address).toBe("POST /graphql");
  expect(headers).toEqual({
    Accept: "application/json",
    "apollo-require-preflight": "true",
    Authorization: `Bearer ${createAccessToken({ role: "admin" })}`,
  });
  expect([...body.keys()]).toEqual(["operations", "map", "0", "1", "2"]);
  const operations = JSON.parse(body.get("operations") as string) as Record<string, object>;
  expect(JSON.stringify(operations.extensions)).toContain(toOperation(UploadSoftwareDocument).hash);
  expect(operations.variables).toEqual({
    input: { softwareStage: "ALPHA", version: "7.4.0" },
    installationFile: null,
    applicationFilesZipFile: null,
    vstoFile: null,
  });
  expect(JSON.parse(body.get("map") as string)).toEqual({
    0: ["variables.installationFile"],
    1: ["variables.applicationFilesZipFile"],
    2: ["variables.vstoFile"],
  });
  const expected = "Setup.exe files.zip Planvarro.vsto";
  expect(["0", "1", "2"].map((part) => (body.get(part) as File).name).join(" ")).toBe(expected);
});

test("shows bytes, percentage and time left, then the check, then the result", async () => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const { user } = await open();
  const upload = await startUpload(user);
  const bar = await screen.findByRole("progressbar", { name: "Uploading" });
  now = 4_000;
  act(() => upload.progress(10_000_000, 40_000_000));
  expect(bar.getAttribute("aria-valuenow")).toBe("25");
  for (const text of ["25%", "10 MB of 40 MB · about 15 seconds left"]) expect(screen.getByText(text)).toBeTruthy();
  act(() => upload.progress(40_000_000, 40_000_000));
  expect(screen.getByRole("progressbar", { name: "Checking the files" }).hasAttribute("aria-valuenow")).toBe(false);
  // The server has all bytes, so cancelling would have no effect.
  expect(screen.queryByRole("button", { name: "Cancel upload" })).toBeNull();
  act(() => upload.answer(done));
  expect(await screen.findByText(`The software has been uploaded successfully. ${SAID}`)).toBeTruthy();
  expect(screen.queryByRole("progressbar")).toBeNull();
  await waitFor(() => expect(uploadButton()).toBeNull());
  expect([field("Software stage").value, screen.queryByText("Setup.exe")]).toEqual(["", null]);
  await user.click(screen.getByRole("button", { name: "Publish 7.4.0" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Publish 7.4.0?" }));
  expect(dialog.getByText(/entered by an admin\. Alpha will offer 7\.4\.0 for download/)).toBeTruthy();
});

test("prevents a second upload, cancels with the selection kept, and stops when the page closes", async () => {
  const { user, unmount } = await open();
  const upload = await startUpload(user);
  await user.click(screen.getByRole("button", { name: "Upload" }));
  await user.click(screen.getByRole("button", { name: "Cancel upload" }));
  expect(upload.wasAborted).toBe(true);
  expect(await screen.findByText("The upload was cancelled.")).toBeTruthy();
  expect([screen.queryByRole("progressbar"), screen.queryByRole("alert")]).toEqual([null, null]);
  expect(screen.getByText("Setup.exe")).toBeTruthy();
  expect(field("Software stage").value).toBe("2");
  expect(FakeUpload.begun).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "Upload" }));
  await waitFor(() => expect(FakeUpload.begun).toHaveLength(2));
  unmount();
  expect(FakeUpload.begun[1]?.wasAborted).toBe(true);
});

test("keeps the form and shows each error, under its field if it names one", async () => {
  const { user } = await open();
  const upload = await startUpload(user);
  const fields = { installationFile: ["File type is not supported."], version: ["Enter a version, such as 7.2.0."] };
  act(() =>
    upload.answer({ errors: [{ message: "Bad input.", extensions: { code: "BAD_USER_INPUT", fields } }] }, 400),
  );
  expect((await screen.findByRole("alert")).textContent).toBe("Unable to upload the software.");
  expect(messageUnder(field("Installation file"))).toBe("File type is not supported.");
  expect(messageUnder(field("Version"))).toBe(fields.version[0]);
  await waitFor(() => expect(document.activeElement).toBe(field("Version")));
  const full = { errors: [{ message: "The disk is full.", extensions: { code: "UNAVAILABLE" } }] };
  for (const [fail, sentence] of [
    [(next) => next.answer(full), "Unable to upload the software. The disk is full."],
    [(next) => next.lose(), "Unable to upload the software."],
    [
      (next) => next.answer({ Message: "File is too large.", requestId: "1" }, 413),
      "Unable to upload the software. File is too large.",
    ],
    [(next) => next.answer("<html>", 502), "Unable to upload the software."],
  ] as [fail: (next: FakeUpload) => void, sentence: string][]) {
    const begun = FakeUpload.begun.length;
    await user.click(screen.getByRole("button", { name: "Upload" }));
    await waitFor(() => expect(FakeUpload.begun).toHaveLength(begun + 1));
    act(() => fail(FakeUpload.begun[begun] as FakeUpload));
    await waitFor(() => expect(screen.getByRole("alert").textContent).toBe(sentence));
    expect(screen.getByText("Setup.exe")).toBeTruthy();
    expect(uploadButton()).not.toBeNull();
  }
});

test("requires confirmation before leaving during an upload, and says what then becomes of it", async () => {
  const { user, place } = await open();
  const upload = await startUpload(user);
  const back = screen.getByRole("link", { name: "Admin" });
  await user.click(back);
  const dialog = within(await screen.findByRole("dialog", { name: "Stop the upload?" }));
  await user.click(dialog.getByRole("button", { name: "Stay" }));
  expect([upload.wasAborted, place()]).toEqual([false, "/admin/manage-software/"]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(back);
  expect(await screen.findByRole("button", { name: "Stop" })).toBeTruthy();
  // The server completes an upload whose files have been sent.
  act(() => upload.progress(10, 10));
  expect(await screen.findByRole("dialog", { name: "Leave during the check?" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Leave" }));
  await waitFor(() => expect(place()).toBe("/admin/"));
});
