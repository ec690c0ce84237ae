import { readFileSync } from "node:fs";
import { join } from "node:path";
import { act, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import content from "content:home";
import { renderWeb, signedOut } from "#tests/support/render-web.tsx";
import { BANNER_MS, CHART_QUERY, NARROW_TIMELINE_MS, TIMELINE_MS } from "#web/site/home/rotation-times.ts";
import HomePage from "#web/pages/public/home.tsx";

/** What the browser would say of the window, and of what can be seen in it. */
let matching: string[];
let sights: ((isIntersecting: boolean) => void)[];

beforeEach(() => {
  signedOut();
  matching = [];
  sights = [];
  vi.stubGlobal("matchMedia", (media: string) => ({
    matches: matching.includes(media),
    media,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(listener: (entries: { isIntersecting: boolean }[]) => void) {
        sights.push((isIntersecting) => listener([{ isIntersecting }]));
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

/** Opens the page; everything on it is in sight. The pictures of the page arrive meanwhile. */
async function open({ isSeen = true } = {}) {
  renderWeb(<HomePage />);
  await act(() => vi.dynamicImportSettled());
  if (isSeen) act(() => sights.forEach((see) => see(true)));
}

const pass = (ms: number): void => {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
};
const carousel = () => screen.getByRole("region", { name: "What XER Bridge does" });
const timeline = () => screen.getByRole("region", { name: content.timeline.heading });
const button = (area: HTMLElement, name: string | RegExp) => within(area).getByRole("button", { name });
const slide = () => Number(/^Slide (\d)/.exec(nameOfCurrentSlide())?.[1]);
const nameOfCurrentSlide = () =>
  within(carousel())
    .getAllByRole("button", { name: /^Slide/ })
    .find((bar) => bar.hasAttribute("aria-current"))
    ?.getAttribute("aria-label") ?? "";
const point = () => Number(/^(\d+) of 14$/.exec(within(timeline()).getByText(/^\d+ of 14$/).textContent ?? "")?.[1]);

describe("the banner", () => {
  test("shows each of its four slides for 8 s and begins again", async () => {
    await open();
    expect(BANNER_MS).toBe(8000);
    for (const next of [1, 2, 3, 4, 1]) {
      expect(slide()).toBe(next);
      pass(BANNER_MS - 1);
      expect(slide()).toBe(next);
      pass(1);
    }
  });

  test("is a carousel of slides with a number each, silent while it turns and spoken while it stands", async () => {
    await open();
    expect(carousel().getAttribute("aria-roledescription")).toBe("carousel");
    const slides = within(carousel()).getAllByRole("group");
    expect(slides.map((each) => each.getAttribute("aria-label"))).toEqual(["1 of 4", "2 of 4", "3 of 4", "4 of 4"]);
    expect(slides.every((each) => each.getAttribute("aria-roledescription") === "slide")).toBe(true);
    const spoken = slides[0]?.parentElement;
    expect(spoken?.getAttribute("aria-live")).toBe("off");
    fireEvent.click(button(carousel(), "Pause slides"));
    expect(spoken?.getAttribute("aria-live")).toBe("polite");
  });

  test("stands when it is paused and goes on when it is played, though pointer and focus are on the button", async () => {
    await open();
    const pause = button(carousel(), "Pause slides");
    fireEvent.pointerEnter(pause, { pointerType: "mouse" });
    act(() => pause.focus());
    fireEvent.click(pause);
    pass(BANNER_MS * 3);
    expect(slide()).toBe(1);
    fireEvent.click(button(carousel(), "Play slides"));
    pass(BANNER_MS);
    expect(slide()).toBe(2);
  });

  test("stands under the pointer and goes on with what was left of the slide", async () => {
    await open();
    pass(5000);
    fireEvent.pointerEnter(carousel(), { pointerType: "mouse" });
    pass(BANNER_MS);
    expect(slide()).toBe(1);
    fireEvent.pointerLeave(carousel());
    pass(2999);
    expect(slide()).toBe(1);
    pass(1);
    expect(slide()).toBe(2);
  });

  test("stands while the focus is in it, and the first stop there is Pause", async () => {
    await open();
    const stops = carousel().querySelectorAll<HTMLElement>("button, a");
    expect(stops[0]?.getAttribute("aria-label")).toBe("Pause slides");
    const link = within(carousel()).getByRole("link", { name: "See what each level converts" });
    act(() => link.focus());
    pass(BANNER_MS * 2);
    expect(slide()).toBe(1);
    act(() => link.blur());
    pass(BANNER_MS);
    expect(slide()).toBe(2);
  });

  test("stands while it is out of sight, and while its tab is", async () => {
    await open({ isSeen: false });
    pass(BANNER_MS * 2);
    expect(slide()).toBe(1);
    act(() => sights.forEach((see) => see(true)));
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    fireEvent(document, new Event("visibilitychange"));
    pass(BANNER_MS * 2);
    expect(slide()).toBe(1);
    Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
    fireEvent(document, new Event("visibilitychange"));
    pass(BANNER_MS);
    expect(slide()).toBe(2);
  });

  test("turns by hand both ways round, and no longer by itself then", async () => {
    await open();
    fireEvent.click(button(carousel(), "Previous slide"));
    expect(slide()).toBe(4);
    fireEvent.click(button(carousel(), "Next slide"));
    expect(slide()).toBe(1);
    fireEvent.click(button(carousel(), /^Slide 3: Ten checks/));
    expect(slide()).toBe(3);
    fireEvent.pointerLeave(carousel());
    pass(BANNER_MS * 2);
    expect(slide()).toBe(3);
    expect(button(carousel(), "Play slides")).toBeTruthy();
  });

  test("never moves by itself for those who ask for less motion, and has nothing to pause then", async () => {
    matching = ["(prefers-reduced-motion: reduce)"];
    await open();
    pass(BANNER_MS * 2);
    expect(slide()).toBe(1);
    expect(within(carousel()).queryByRole("button", { name: /Pause|Play/ })).toBeNull();
    fireEvent.click(button(carousel(), "Next slide"));
    expect(slide()).toBe(2);
  });
});

describe("the benefits timeline", () => {
  test("lights one of 14 points after the other, 1.5 s each, where there is room for the chart", async () => {
    matching = ["(min-width: 1118px)"];
    await open();
    expect(TIMELINE_MS).toBe(1500);
    for (let next = 1; next <= 14; next++) {
      expect(point()).toBe(next);
      expect(
        within(timeline())
          .getAllByRole("button")
          .find((row) => row.getAttribute("aria-current") === "step")?.textContent,
      ).toBe(content.timeline.points[next - 1]?.title);
      pass(TIMELINE_MS);
    }
    expect(point()).toBe(1);
  });

  test("shows a point for 4 s on narrow screens", async () => {
    await open();
    expect(NARROW_TIMELINE_MS).toBe(4000);
    pass(NARROW_TIMELINE_MS - 1);
    expect(point()).toBe(1);
    pass(1);
    expect(point()).toBe(2);
  });

  test("can be paused, played, and gone through by hand", async () => {
    await open();
    fireEvent.click(button(timeline(), "Pause benefits"));
    pass(NARROW_TIMELINE_MS * 2);
    expect(point()).toBe(1);
    fireEvent.click(button(timeline(), "Previous benefit"));
    expect(point()).toBe(14);
    fireEvent.click(button(timeline(), "Next benefit"));
    expect(point()).toBe(1);
    fireEvent.click(button(timeline(), "Leads and lags included"));
    expect(point()).toBe(5);
    fireEvent.click(button(timeline(), "Play benefits"));
    pass(NARROW_TIMELINE_MS);
    expect(point()).toBe(6);
  });

  test("does not move for those who ask for less motion, who have all 14 points as a list", async () => {
    matching = ["(prefers-reduced-motion: reduce)", CHART_QUERY];
    await open();
    pass(TIMELINE_MS * 5);
    expect(point()).toBe(1);
    expect(within(within(timeline()).getAllByRole("list")[0] as HTMLElement).getAllByRole("listitem")).toHaveLength(14);
  });

  test("fills its bars, and those of the banner, as long as a point or a slide stands", () => {
    const styles = (name: string) =>
      readFileSync(join(import.meta.dirname, `../../../web/site/home/${name}.module.css`), "utf8");
    const banner = styles("banner-carousel");
    expect(banner).toContain(`animation: fill ${BANNER_MS / 1000}s linear`);
    const [narrow = "", wide = ""] = styles("benefits-chart").split(`@media ${CHART_QUERY}`);
    expect(narrow).toContain(`animation: fill ${NARROW_TIMELINE_MS / 1000}s linear`);
    expect(wide).toContain(`animation-duration: ${TIMELINE_MS / 1000}s`);
    expect(styles("benefits-timeline")).toContain(CHART_QUERY);
  });
});
