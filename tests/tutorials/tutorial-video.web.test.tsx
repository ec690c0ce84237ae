import { expect, test } from "vitest";
import { screen } from "@testing-library/react";
import { renderWeb } from "#tests/support/render-web.tsx";
import { TutorialVideo } from "#web/features/tutorials/tutorial-video.tsx";

function renderFilm() {
  renderWeb(<TutorialVideo src="/media/install-the-add-in.mp4" title="Install the add-in" />);
  return screen.getByLabelText<HTMLVideoElement>(/^Install the add-in/);
}

test("a film waits until it is played, and loads nothing before but its poster", () => {
  const film = renderFilm();
  expect(film.autoplay).toBe(false);
  expect(film.controls).toBe(true);
  expect(film.preload).toBe("none");
  expect(film.getAttribute("poster")).toBe("/media/install-the-add-in.webp");
  expect([film.getAttribute("width"), film.getAttribute("height")]).toEqual(["1280", "720"]);
});

test("a film has captions in English", () => {
  const track = renderFilm().querySelector("track");
  expect(track?.getAttribute("kind")).toBe("captions");
  expect(track?.getAttribute("src")).toBe("/media/install-the-add-in.vtt");
  expect(track?.getAttribute("srclang")).toBe("en");
});

test("a film can be downloaded, and says that it has no sound", () => {
  renderFilm();
  const link = screen.getByRole("link", { name: "Download the film" });
  expect(link.getAttribute("href")).toBe("/media/install-the-add-in.mp4");
  expect(link.hasAttribute("download")).toBe(true);
  expect(screen.getByText(/no sound/)).toBeTruthy();
});
