import { afterEach, expect, test, vi } from "vitest";
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { renderToString } from "react-dom/server";
import { renderWeb } from "#tests/support/render-web.tsx";
import { FilmCaption, TutorialVideo } from "#web/site/tutorials/tutorial-video.tsx";

const src = "/media/install-the-add-in.mp4";

function renderFilm() {
  renderWeb(<TutorialVideo src={src} title="Install the add-in" />);
  return screen.getByLabelText<HTMLVideoElement>(/^Install the add-in/);
}

afterEach(() => vi.restoreAllMocks());

test("a film waits until it is played, and loads nothing before but its poster", () => {
  const film = renderFilm();
  expect(film.autoplay).toBe(false);
  expect(film.controls).toBe(false);
  expect(film.preload).toBe("none");
  expect(film.getAttribute("poster")).toBe("/media/install-the-add-in.webp");
  expect([film.getAttribute("width"), film.getAttribute("height")]).toEqual(["1280", "720"]);
});

test("one button plays the film, gives it the browser's controls and the focus, and goes", async () => {
  const play = vi.spyOn(HTMLMediaElement.prototype, "play").mockResolvedValue();
  const film = renderFilm();
  await userEvent.click(screen.getByRole("button", { name: "Play the film: Install the add-in" }));
  expect(play).toHaveBeenCalledOnce();
  expect(film.controls).toBe(true);
  expect(document.activeElement).toBe(film);
  expect(screen.queryByRole("button", { name: /^Play the film/ })).toBeNull();
});

test("without scripts the browser's controls play it", () => {
  const html = renderToString(<TutorialVideo src={src} title="Install the add-in" />);
  expect(html).toMatch(/<video[^>]* controls=""/);
  expect(html).not.toContain("<button");
});

test("a film has captions in English", () => {
  const track = renderFilm().querySelector("track");
  expect(track?.getAttribute("kind")).toBe("captions");
  expect(track?.getAttribute("src")).toBe("/media/install-the-add-in.vtt");
  expect(track?.getAttribute("srclang")).toBe("en");
});

test("a film can be downloaded, and says that it has no sound", () => {
  renderWeb(<FilmCaption src={src} />);
  const link = screen.getByRole("link", { name: "Download the film" });
  expect(link.getAttribute("href")).toBe(src);
  expect(link.hasAttribute("download")).toBe(true);
  expect(screen.getByText("45 seconds, no sound")).toBeTruthy();
});
