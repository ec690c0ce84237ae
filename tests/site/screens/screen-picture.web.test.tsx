import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderWeb } from "#tests/support/render-web.tsx";
import { ScreenPicture } from "#web/site/screens/screen-picture.tsx";
import { screens } from "#web/site/screens/screens.ts";

test("shows a lazy picture of fixed size for each colour scheme", () => {
  renderWeb(<ScreenPicture name="my-account" />);
  const pictures = screen.getAllByRole<HTMLImageElement>("img", { name: screens["my-account"].alt });
  expect(pictures.map(({ dataset }) => dataset.scheme)).toEqual(["light", "dark"]);
  for (const picture of pictures) {
    expect(picture.getAttribute("src")).toBe(`/media/screens/my-account-${picture.dataset.scheme}.webp`);
    expect(picture.getAttribute("loading")).toBe("lazy");
    expect(picture.getAttribute("decoding")).toBe("async");
    expect(picture.getAttribute("width")).toBe("1280");
    expect(Number(picture.getAttribute("height"))).toBe(screens["my-account"].height);
  }
});

test("shows one picture for paper documents", () => {
  renderWeb(<ScreenPicture name="tax-invoice" />);
  expect(screen.getByRole("img").getAttribute("src")).toBe("/media/screens/tax-invoice.webp");
});
