import { act, createEvent, fireEvent, screen, waitFor } from "@testing-library/react";
import { useEffect } from "react";
import { useNavigate } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { installNavigator } from "#web/platform/navigator.ts";
import { paths } from "#web/platform/paths.ts";
import { UploadForm } from "#web/releases/software/upload-form.tsx";
import { FakeUpload, holdUploads } from "#tests/support/fake-upload.ts";
import { dropFiles, fill } from "#tests/support/fill-form.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";

beforeEach(() => {
  resetSession();
  signInAs("admin");
  holdUploads();
});

function FormWithNavigator() {
  const navigate = useNavigate();
  useEffect(() => installNavigator((to, options) => void navigate(to, options)), [navigate]);
  return <UploadForm isWaiting={() => true} onSettled={() => {}} onPublish={() => {}} />;
}

test("the upload page navigates away without confirmation if the user can no longer upload", async () => {
  const { user, place } = renderWeb(<FormWithNavigator />, { at: "/admin/manage-software/" });
  fill({ "Software stage": "2" });
  await dropFiles("Installation file", new File(["data"], "Setup.exe"));
  await user.click(screen.getByRole("button", { name: "Upload" }));
  await waitFor(() => expect(FakeUpload.begun).toHaveLength(1));
  await screen.findByRole("progressbar", { name: "Uploading" });
  const refusal = { errors: [{ message: "Not allowed.", extensions: { code: "FORBIDDEN" } }] };
  await act(async () => FakeUpload.begun[0]?.answer(refusal, 403));
  await waitFor(() => expect(place()).toBe(paths.error403.href()));
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("the upload page prevents the browser from opening a file dropped outside the zones", () => {
  const isOpenedByBrowser = () => {
    const drop = createEvent.drop(document.body);
    return fireEvent(document.body, drop);
  };
  const { unmount } = renderWeb(<FormWithNavigator />, { at: "/admin/manage-software/" });
  expect(isOpenedByBrowser()).toBe(false);
  unmount();
  expect(isOpenedByBrowser()).toBe(true);
});
