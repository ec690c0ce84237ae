import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fireEvent, render, screen } from "@testing-library/react";
import { type ComponentType, Suspense } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { prerender } from "react-dom/static";
import { expect, test } from "vitest";
import { pictureByName } from "#web/site/pictures/by-name.ts";
import { Monogram } from "#web/site/pictures/monogram.tsx";
import type { PictureProps } from "#web/ui/pictures/parts.tsx";
import { ShowcaseExportPicture } from "#web/site/pictures/showcase-export.tsx";
import { ShowcaseFigure } from "#web/site/pictures/showcase-figure.tsx";
import { TierIcon } from "#web/billing/plans/level-icon.tsx";

const root = join(import.meta.dirname, "../../..");

/** Every `picture:` in the Markdown of the public site. */
const usedNames = readdirSync(join(root, "web/site/content"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md") && !file.endsWith("README.md"))
  .flatMap((file) => [
    ...readFileSync(join(root, "web/site/content", file), "utf8").matchAll(/\bpicture: *"?([\w-]+)"?/g),
  ])
  .map(([, name = ""]) => name);

const files = import.meta.glob<Record<string, unknown>>("../../../web/{site,ui}/pictures/*.tsx", { eager: true });

const pictures: [string, ComponentType<PictureProps>][] = [
  ...Object.values(files)
    .flatMap(Object.entries)
    .filter(([name]) => /.Picture$/.test(name))
    .map(([name, picture]): [string, ComponentType<PictureProps>] => [name, picture as ComponentType<PictureProps>]),
  ...(["standard", "plus", "professional"] as const).map((level): [string, ComponentType<PictureProps>] => [
    `TierIcon of ${level}`,
    (props) => <TierIcon level={level} {...props} />,
  ]),
  ["Monogram", (props) => <Monogram initials="MT" {...props} />],
];

/** Colours defined in tokens.css. */
const palette = new Set(readFileSync(join(root, "web/app/tokens.css"), "utf8").match(/--xp-[a-z-]+(?=:)/g));

const markup = (Shown: ComponentType<PictureProps>, label?: string) =>
  renderToStaticMarkup(
    <>
      <Shown label={label} />
      <Shown label={label} />
    </>,
  );

const drawn = pictures.map(([name, Shown]) => ({ name, html: markup(Shown), labelled: markup(Shown, "Bars & links") }));

test("pictures of the public site are those used in the content, and load by name", async () => {
  expect(Object.keys(pictureByName).sort()).toEqual([...new Set(usedNames)].sort());
  for (const [name, Shown] of Object.entries(pictureByName)) {
    if (!Shown) throw new Error(`${name} has no picture`);
    const { unmount } = render(
      <Suspense fallback={null}>
        <Shown label={name} />
      </Suspense>,
    );
    expect((await screen.findByRole("img", { name })).querySelector("rect, path"), name).not.toBeNull();
    unmount();
  }
});

test("pictures of the public site are prerendered without the fallback", async () => {
  const Shown = pictureByName["tutorial-move"];
  if (!Shown) throw new Error("tutorial-move");
  const { prelude } = await prerender(
    <Suspense fallback="Loading">
      <Shown />
    </Suspense>,
  );
  const html = await new Response(prelude).text();
  expect(html).toContain("<svg");
  expect(html).not.toContain("Loading");
});

test("pictures of the public site comply with the content security policy, have unique IDs and only colours of the palette, and are images only with a label", () => {
  const isOfPalette = (colour = "") => palette.has(/^var\((--xp-[a-z-]+)\)$/.exec(colour)?.[1] ?? "");
  for (const { name, html, labelled } of drawn) {
    expect(html, name).toMatch(/^<svg[^>]*aria-hidden="true"/);
    expect(html, name).not.toMatch(/\sstyle=|href|src=|url\(|undefined|NaN|role=/);
    expect(labelled, name).toMatch(/^<svg[^>]*role="img" aria-label="Bars &amp; links"/);
    expect(labelled, name).not.toContain("aria-hidden");
    const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect([name, new Set(ids).size]).toEqual([name, ids.length]);
    const colours = [...html.matchAll(/(?:fill|stroke)="([^"]*)"/g)].map(([, colour]) => colour);
    expect([name, ...colours.filter((colour) => colour !== "none" && !isOfPalette(colour))]).toEqual([name]);
  }
});

test("pictures of the public site have text of at least 11 px on a 390 px wide phone", () => {
  for (const { name, html } of drawn.filter((one) => !/^(Tutorial|TierIcon|Monogram)/.test(one.name))) {
    const width = Number(/viewBox="0 0 (\d+) /.exec(html)?.[1]);
    const sizes = [...html.matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => Number(size));
    expect((Math.min(...sizes) * 358) / width, name).toBeGreaterThanOrEqual(11);
  }
});

/** Dispatches the end of an animation. React uses the old event name in jsdom, which has no AnimationEvent. */
const endAnimation = (selector: string) => {
  const element = document.querySelector(selector);
  if (!element) throw new Error(`Nothing matches ${selector}.`);
  fireEvent(element, new Event("webkitAnimationEnd", { bubbles: true }));
};

const stage = () => document.querySelector("[data-state]")?.getAttribute("data-state");
const show = () => render(<ShowcaseFigure title="A plan" text="To its file." picture={ShowcaseExportPicture} />);

test("a showcase plays, pauses, continues and ends on the finished picture", () => {
  show();
  expect(stage()).toBe("still");
  fireEvent.click(screen.getByRole("button", { name: "Play: A plan" }));
  expect(stage()).toBe("playing");
  fireEvent.click(screen.getByRole("button", { name: "Pause: A plan" }));
  expect(stage()).toBe("paused");
  fireEvent.click(screen.getByRole("button", { name: "Resume: A plan" }));
  expect(stage()).toBe("playing");
  // One of its parts ends early.
  endAnimation("[data-motion]");
  expect(stage()).toBe("playing");
  endAnimation("[data-state] i");
  expect(stage()).toBe("still");
});

test("a showcase describes its content in text, and complies with the content security policy without JavaScript", () => {
  show();
  expect(screen.getByRole("img", { name: "A plan: To its file." })).toBeDefined();
  expect(screen.getByRole("figure").textContent).toContain("To its file.");
  const html = renderToStaticMarkup(<ShowcaseFigure title="A plan" text="." picture={ShowcaseExportPicture} />);
  expect(html).not.toMatch(/\sstyle=/);
  expect(html).toContain('data-state="still"');
});

test("a showcase does not move if the user prefers reduced motion", () => {
  const css = readFileSync(join(root, "web/site/pictures/showcase-figure.module.css"), "utf8");
  const [still = "", moving = ""] = css.split("@media (prefers-reduced-motion: no-preference)");
  expect(still).not.toContain("animation");
  expect(moving).toContain("animation-play-state: paused");
});
