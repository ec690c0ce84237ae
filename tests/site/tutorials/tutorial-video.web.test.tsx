import { afterEach, expect, test, vi } from "vitest";
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { renderToString } from "react-dom/server";
import { renderWeb } from "#tests/support/render-web.tsx";
import { VideoCaption, TutorialVideo } from "#web/site/tutorials/tutorial-video.tsx";

const src = "/media/install-the-add-in.mp4";

function renderVideo() {
  renderWeb(<TutorialVideo src={src} title="Install the add-in" />);
  return screen.getByLabelText<HTMLVideoElement>(/^Install the add-in/);
}

afterEach(() => vi.restoreAllMocks());

test("loads only the poster until the video is played, and has English captions", () => {
  const video = renderVideo();
  expect(video.autoplay).toBe(false);
  expect(video.controls).toBe(false);
  expect(video.preload).toBe("none");
  expect(video.getAttribute("poster")).toBe("/media/install-the-add-in.webp");
  expect([video.getAttribute("width"), video.getAttribute("height")]).toEqual(["1280", "720"]);
  const track = video.querySelector("track");
  expect(track?.getAttribute("kind")).toBe("captions");
  expect(track?.getAttribute("src")).toBe("/media/install-the-add-in.vtt");
  expect(track?.getAttribute("srclang")).toBe("en");
});

test("plays the video, shows the controls, moves the focus and hides the button", async () => {
  const play = vi.spyOn(HTMLMediaElement.prototype, "play").mockResolvedValue();
  const video = renderVideo();
  await userEvent.click(screen.getByRole("button", { name: "Play the video: Install the add-in" }));
  expect(play).toHaveBeenCalledOnce();
  expect(video.controls).toBe(true);
  expect(document.activeElement).toBe(video);
  expect(screen.queryByRole("button", { name: /^Play the video/ })).toBeNull();
});

test("shows the browser's controls without JavaScript", () => {
  const html = renderToString(<TutorialVideo src={src} title="Install the add-in" />);
  expect(html).toMatch(/<video[^>]* controls=""/);
  expect(html).not.toContain("<button");
});

test("can be downloaded and has a note about missing sound", () => {
  renderWeb(<VideoCaption src={src} />);
  const link = screen.getByRole("link", { name: "Download the video" });
  expect(link.getAttribute("href")).toBe(src);
  expect(link.hasAttribute("download")).toBe(true);
  expect(screen.getByText("45 seconds, no sound")).toBeTruthy();
});
