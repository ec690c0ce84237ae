import { readFileSync } from "node:fs";
import { join } from "node:path";
import { act, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import content from "content:home";
import { renderWeb, resetSession } from "#tests/support/render-web.tsx";
import { BANNER_MS, CHART_QUERY, NARROW_TIMELINE_MS, TIMELINE_MS } from "#web/site/home/rotation-controls.tsx";
import HomePage from "#web/site/home/home-page.tsx";

/** Media queries that match, and callbacks that set the visibility of observed elements. */
let matchingQueries: string[];
let setVisible: ((isIntersecting: boolean) => void)[];

beforeEach(() => {
  resetSession();
  matchingQueries = [];
  setVisible = [];
  const target = { addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal("matchMedia", (media: string) => ({ matches: matchingQueries.includes(media), media, ...target }));
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(listener: (entries: { isIntersecting: boolean }[]) => void) {
        setVisible.push((isIntersecting) => listener([{ isIntersecting }]));
      }
      observe(): void {}
      disconnect(): void {}
    },
  );
  vi.useFakeTimers({ shouldAdvanceTime: false });
});

afterEach(() => {
  vi.useRealTimers();
  Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
});

/** Renders the page and waits for its pictures. All content is visible unless `isSeen` is false. */
async function open({ isSeen = true } = {}) {
  renderWeb(<HomePage />);
  await act(() => vi.dynamicImportSettled());
  if (isSeen) act(() => setVisible.forEach((set) => set(true)));
}

const advance = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
const carousel = () => screen.getByRole("region", { name: "What Planvarro does" });
const timeline = () => screen.getByRole("region", { name: content.timeline.heading });
const button = (area: HTMLElement, name: string | RegExp) => within(area).getByRole("button", { name });
const slide = () => Number(/^Slide (\d)/.exec(getCurrentSlideName())?.[1]);
const getCurrentSlideName = () =>
  within(carousel())
    .getAllByRole("button", { name: /^Slide/ })
    .find((bar) => bar.hasAttribute("aria-current"))
    ?.getAttribute("aria-label") ?? "";
const point = () => Number(/^(\d+) of 14$/.exec(within(timeline()).getByText(/^\d+ of 14$/).textContent ?? "")?.[1]);

test("the banner announces its four slides only while paused, and shows each for 8 seconds before it starts again", async () => {
  await open();
  expect(carousel().getAttribute("aria-roledescription")).toBe("carousel");
  const slides = within(carousel()).getAllByRole("group");
  expect(slides.map((each) => each.getAttribute("aria-label"))).toEqual(["1 of 4", "2 of 4", "3 of 4", "4 of 4"]);
  expect(slides.every((each) => each.getAttribute("aria-roledescription") === "slide")).toBe(true);
  const liveRegion = slides[0]?.parentElement;
  expect(liveRegion?.getAttribute("aria-live")).toBe("off");
  fireEvent.click(button(carousel(), "Pause slides"));
  expect(liveRegion?.getAttribute("aria-live")).toBe("polite");
  fireEvent.click(button(carousel(), "Play slides"));
  expect(BANNER_MS).toBe(8000);
  for (const next of [1, 2, 3, 4, 1]) {
    expect(slide()).toBe(next);
    advance(BANNER_MS - 1);
    expect(slide()).toBe(next);
    advance(1);
  }
});

test("the banner pauses under the pointer and continues with the remaining time", async () => {
  await open();
  advance(5000);
  fireEvent.pointerEnter(carousel(), { pointerType: "mouse" });
  advance(BANNER_MS);
  expect(slide()).toBe(1);
  fireEvent.pointerLeave(carousel());
  advance(2999);
  expect(slide()).toBe(1);
  advance(1);
  expect(slide()).toBe(2);
});

test("the banner pauses while it has focus, and pauses and plays with the button, even while it is hovered and focused", async () => {
  await open();
  const stops = carousel().querySelectorAll<HTMLElement>("button, a");
  expect(stops[0]?.getAttribute("aria-label")).toBe("Pause slides");
  const link = within(carousel()).getByRole("link", { name: "See what each level converts" });
  act(() => link.focus());
  advance(BANNER_MS * 2);
  expect(slide()).toBe(1);
  act(() => link.blur());
  advance(BANNER_MS);
  expect(slide()).toBe(2);
  const pause = button(carousel(), "Pause slides");
  fireEvent.pointerEnter(pause, { pointerType: "mouse" });
  act(() => pause.focus());
  fireEvent.click(pause);
  advance(BANNER_MS * 3);
  expect(slide()).toBe(2);
  fireEvent.click(button(carousel(), "Play slides"));
  advance(BANNER_MS);
  expect(slide()).toBe(3);
});

test("the banner pauses while it or its tab is not visible", async () => {
  await open({ isSeen: false });
  advance(BANNER_MS * 2);
  expect(slide()).toBe(1);
  act(() => setVisible.forEach((set) => set(true)));
  Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
  fireEvent(document, new Event("visibilitychange"));
  advance(BANNER_MS * 2);
  expect(slide()).toBe(1);
  Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
  fireEvent(document, new Event("visibilitychange"));
  advance(BANNER_MS);
  expect(slide()).toBe(2);
});

test("the banner moves in both directions manually and then stops rotating", async () => {
  await open();
  fireEvent.click(button(carousel(), "Previous slide"));
  expect(slide()).toBe(4);
  fireEvent.click(button(carousel(), "Next slide"));
  expect(slide()).toBe(1);
  fireEvent.click(button(carousel(), /^Slide 3: Ten checks/));
  expect(slide()).toBe(3);
  fireEvent.pointerLeave(carousel());
  advance(BANNER_MS * 2);
  expect(slide()).toBe(3);
  expect(button(carousel(), "Play slides")).toBeTruthy();
});

test("the benefits timeline highlights each of 14 points for 1.5 seconds on wide screens", async () => {
  matchingQueries = ["(min-width: 1118px)"];
  await open();
  expect(TIMELINE_MS).toBe(1500);
  for (let next = 1; next <= 14; next++) {
    expect(point()).toBe(next);
    const rows = within(timeline()).getAllByRole("button");
    const current = rows.find((row) => row.getAttribute("aria-current") === "step");
    expect(current?.textContent).toBe(content.timeline.points[next - 1]?.title);
    advance(TIMELINE_MS);
  }
  expect(point()).toBe(1);
});

test("the benefits timeline shows each point for 4 seconds on narrow screens, and can be paused, played and navigated manually", async () => {
  await open();
  expect(NARROW_TIMELINE_MS).toBe(4000);
  advance(NARROW_TIMELINE_MS - 1);
  expect(point()).toBe(1);
  advance(1);
  expect(point()).toBe(2);
  fireEvent.click(button(timeline(), "Previous benefit"));
  fireEvent.click(button(timeline(), "Play benefits"));
  fireEvent.click(button(timeline(), "Pause benefits"));
  advance(NARROW_TIMELINE_MS * 2);
  expect(point()).toBe(1);
  fireEvent.click(button(timeline(), "Previous benefit"));
  expect(point()).toBe(14);
  fireEvent.click(button(timeline(), "Next benefit"));
  expect(point()).toBe(1);
  fireEvent.click(button(timeline(), "Leads and lags included"));
  expect(point()).toBe(5);
  fireEvent.click(button(timeline(), "Play benefits"));
  advance(NARROW_TIMELINE_MS);
  expect(point()).toBe(6);
});

test("with reduced motion, nothing rotates, the banner has no Pause button, and all 14 benefits are listed", async () => {
  matchingQueries = ["(prefers-reduced-motion: reduce)", CHART_QUERY];
  await open();
  advance(BANNER_MS * 2);
  expect([slide(), within(carousel()).queryByRole("button", { name: /Pause|Play/ }), point()]).toEqual([1, null, 1]);
  fireEvent.click(button(carousel(), "Next slide"));
  expect(slide()).toBe(2);
  expect(within(within(timeline()).getAllByRole("list")[0] as HTMLElement).getAllByRole("listitem")).toHaveLength(14);
});

test("the benefits timeline uses the same times in CSS animations and in scripts", () => {
  const styles = (name: string) =>
    readFileSync(join(import.meta.dirname, `../../../web/site/home/${name}.module.css`), "utf8");
  const banner = styles("banner-carousel");
  expect(banner).toContain(`animation: fill ${BANNER_MS / 1000}s linear`);
  const [narrow = "", wide = ""] = styles("benefits-timeline").split(`@media ${CHART_QUERY} and`);
  expect(narrow).toContain(`animation: fill ${NARROW_TIMELINE_MS / 1000}s linear`);
  expect(wide).toContain(`animation-duration: ${TIMELINE_MS / 1000}s`);
  expect(narrow).toContain(`@media ${CHART_QUERY} {`);
});
