import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { renderToString } from "react-dom/server";
import { expect, test, vi } from "vitest";
import TutorialsPage from "#web/site/tutorials/tutorials-page.tsx";
import { ScreenPicture } from "#web/site/support/user-guide-page.tsx";
import { screens } from "#web/site/screens/screens.ts";
import { VideoCaption, TutorialVideo } from "#web/site/tutorials/tutorial-video.tsx";
import { renderPage } from "#tests/support/render-page.tsx";
import { renderWeb } from "#tests/support/render-web.tsx";

const src = "/media/install-the-add-in.mp4";

function renderVideo() {
  renderWeb(<TutorialVideo src={src} title="Install the add-in" />);
  return screen.getByLabelText<HTMLVideoElement>(/^Install the add-in/);
}

test("loads only the poster until a video is played, and has English captions", () => {
  const video = renderVideo();
  expect([video.autoplay, video.controls, video.preload]).toEqual([false, false, "none"]);
  expect(video.getAttribute("poster")).toBe("/media/install-the-add-in.webp");
  expect([video.getAttribute("width"), video.getAttribute("height")]).toEqual(["1280", "720"]);
  const track = video.querySelector("track");
  const attributes = ["kind", "src", "srclang"].map((name) => track?.getAttribute(name));
  expect(attributes).toEqual(["captions", "/media/install-the-add-in.vtt", "en"]);
});

test("plays a video, shows the controls, moves the focus and hides the button", async () => {
  const play = vi.spyOn(HTMLMediaElement.prototype, "play").mockResolvedValue();
  const video = renderVideo();
  await userEvent.click(screen.getByRole("button", { name: "Play the video: Install the add-in" }));
  expect(play).toHaveBeenCalledOnce();
  expect(video.controls).toBe(true);
  expect(document.activeElement).toBe(video);
  expect(screen.queryByRole("button", { name: /^Play the video/ })).toBeNull();
});

test("shows the browser's controls of a video without JavaScript", () => {
  const html = renderToString(<TutorialVideo src={src} title="Install the add-in" />);
  expect(html).toMatch(/<video[^>]* controls=""/);
  expect(html).not.toContain("<button");
});

test("a video can be downloaded and has a note about missing sound", () => {
  renderWeb(<VideoCaption src={src} />);
  const link = screen.getByRole("link", { name: "Download the video" });
  expect(link.getAttribute("href")).toBe(src);
  expect(link.hasAttribute("download")).toBe(true);
  expect(screen.getByText("45 seconds, no sound")).toBeTruthy();
});

test("shows eight tutorials, the first with a video and the others with a picture", async () => {
  await renderPage(<TutorialsPage />, "/resources-and-support/installation-support-tutorials/");
  await screen.findByRole("heading", { level: 1, name: "Installation and Support Tutorials" });
  const cards = screen
    .getAllByRole("listitem")
    .filter((card) => within(card).queryByRole("heading", { level: 2 }) && within(card).queryByText("Read the steps"));
  expect(cards).toHaveLength(8);
  for (const [index, card] of cards.entries()) {
    expect(card.querySelectorAll("video")).toHaveLength(index === 0 ? 1 : 0);
    expect(card.querySelectorAll("[class*=framed] > svg")).toHaveLength(index === 0 ? 0 : 1);
    const link = within(card).getByRole("heading", { level: 2 }).querySelector("a");
    expect(document.querySelector(link?.getAttribute("href") ?? "none")).toBeTruthy();
  }
});

test("opens the steps of the tutorial in the URL fragment", async () => {
  await renderPage(<TutorialsPage />, "/resources-and-support/installation-support-tutorials/#tutorial-2");
  await waitFor(() => expect(screen.getAllByRole("button", { expanded: true })).toHaveLength(1));
  expect(screen.getByText("Enter Licence Code")).toBeTruthy();
});

test("shows a lazy picture of fixed size for each colour scheme", () => {
  renderWeb(<ScreenPicture name="my-account" />);
  const pictures = screen.getAllByRole<HTMLImageElement>("img", { name: screens["my-account"].alt });
  expect(pictures.map(({ dataset }) => dataset.scheme)).toEqual(["light", "dark"]);
  for (const picture of pictures) {
    expect(picture.getAttribute("src")).toBe(`/media/screens/my-account-${picture.dataset.scheme}.webp`);
    expect([picture.getAttribute("loading"), picture.getAttribute("decoding")]).toEqual(["lazy", "async"]);
    expect(picture.getAttribute("width")).toBe("1280");
    expect(Number(picture.getAttribute("height"))).toBe(screens["my-account"].height);
  }
});
