import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeEach, expect, vi } from "vitest";
import { notify } from "#web/platform/notifications.ts";

// Pages load their parts when they open, which on a busy machine takes longer than the second that is the default.
configure({ asyncUtilTimeout: 4_000 });

// What Mantine asks of a browser and jsdom lacks.
vi.stubGlobal("matchMedia", (query: string) => ({
  matches: false,
  media: query,
  onchange: null,
  addEventListener: () => {},
  removeEventListener: () => {},
  addListener: () => {},
  removeListener: () => {},
  dispatchEvent: () => false,
}));
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  },
);
window.HTMLElement.prototype.scrollIntoView = () => {};

const complaints: string[] = [];

beforeEach(() => {
  complaints.length = 0;
  for (const level of ["error", "warn"] as const)
    vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
      complaints.push(`console.${level}: ${parts.map(String).join(" ")}`);
    });
});

// A warning in the console is a fault a person would meet later, so it fails the test that caused it.
afterEach(() => {
  cleanup();
  // The modules outlive a file, and with them a message that still stands.
  notify.clear();
  vi.restoreAllMocks();
  expect(complaints).toEqual([]);
});

// The next file asks its own api, by its own clock.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
