import { cleanup, configure, getConfig, prettyDOM } from "@testing-library/react";
import * as React from "react";
import { afterAll, afterEach, beforeEach, expect, vi } from "vitest";
import { notify } from "#web/platform/notifications.ts";
import { replaceComputedStyle } from "./computed-style.ts";

configure({
  // Pages load their parts lazily, which can take longer than the default of one second.
  asyncUtilTimeout: 60_000,
  // Printing the document takes long, and a failed poll isn't shown to anyone. The one that times out is printed.
  getElementError: (message, container) => {
    const isPoll = Reflect.get(getConfig(), "_disableExpensiveErrorDiagnostics") === true;
    const error = new Error(isPoll ? (message ?? "") : `${message}\n\n${prettyDOM(container)}`);
    error.name = "TestingLibraryElementError";
    return error;
  },
});

// React would record a stack trace for each element, only to name its owner in a warning.
const internals: object = Reflect.get(React, "__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE");
Object.defineProperty(internals, "recentlyCreatedOwnerStacks", { get: () => Infinity, set: () => {} });

replaceComputedStyle();

// Mantine needs these browser APIs, and jsdom doesn't have them.
// Not stubs of Vitest, which tests may remove.
const ignore = () => {};
const target = { addEventListener: ignore, removeEventListener: ignore, addListener: ignore, removeListener: ignore };
const list = { matches: false, onchange: null, ...target, dispatchEvent: () => false };
window.matchMedia = (query: string) => ({ ...list, media: query });
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  },
);
window.HTMLElement.prototype.scrollIntoView = () => {};

// jsdom has no layout, and the chart library warns about charts without a size.
// oxlint-disable-next-line typescript/unbound-method -- called with `call`
const { getBoundingClientRect } = window.HTMLElement.prototype;
window.HTMLElement.prototype.getBoundingClientRect = function measure(this: HTMLElement) {
  const isChart = this.classList.contains("recharts-responsive-container");
  return isChart ? new DOMRect(0, 0, 800, 100) : getBoundingClientRect.call(this);
};

const problems: string[] = [];

beforeEach(() => {
  problems.length = 0;
  // A request of the test before may have ended after its page was removed.
  notify.clear();
  for (const level of ["error", "warn"] as const)
    vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
      problems.push(`console.${level}: ${parts.map(String).join(" ")}`);
    });
});

// A console warning indicates a bug, so it fails the test that caused it.
afterEach(() => {
  cleanup();
  // Test files share modules, and with them the notifications.
  notify.clear();
  vi.restoreAllMocks();
  expect(problems).toEqual([]);
});

// The next test file sets up its own mock API and clock. A module that is still being imported when a file ends would never
// arrive in the files after it, which share the modules.
afterAll(async () => {
  vi.useRealTimers();
  await vi.dynamicImportSettled();
  vi.unstubAllGlobals();
});
