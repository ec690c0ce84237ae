import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { findFreePort } from "./free-port.ts";

const [browser] = globSync("/usr/lib/*/webkit2gtk-4.1/MiniBrowser");

const { resolve } = createRequire(import.meta.resolve("@testing-library/dom"));
/** Finds elements by role, name and label, as in the tests of components. */
const library = readFileSync(resolve("@testing-library/dom/dist/@testing-library/dom.umd.min.js"), "utf8");

/** Milliseconds until an element or text must be there. */
const WAIT_MS = 60_000;

type Element = Readonly<Record<string, string>>;

/** What people do in a browser. */
export type WebKit = Awaited<ReturnType<typeof startWebKit>>;

/**
 * Starts Debian's WebKit without a screen, and returns what drives it over WebDriver. All of it waits until it is possible. An
 * open dialog has the page to itself.
 */
export async function startWebKit(baseUrl: string) {
  const port = await findFreePort();
  const driver = spawn("xvfb-run", ["-a", "WebKitWebDriver", `--port=${port}`], { stdio: "ignore", detached: true });
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const init = { method, ...(body ? { body: JSON.stringify(body) } : {}) };
    const { value } = (await (await fetch(`http://127.0.0.1:${port}${path}`, init)).json()) as {
      value: T & { error?: string; message?: string };
    };
    if (value?.error) throw new Error(`${path}: ${value.error} ${value.message}`);
    return value;
  };
  await retry("WebKitWebDriver to start", () => call("GET", "/status").then(() => true));
  const { sessionId } = await call<{ sessionId: string }>("POST", "/session", {
    capabilities: { alwaysMatch: { "webkitgtk:browserOptions": { binary: browser, args: ["--automation"] } } },
  });
  const session = `/session/${sessionId}`;
  const run = <T>(script: string, ...args: unknown[]) =>
    call<T>("POST", `${session}/execute/sync`, { script, args: args.map(toArgument) });

  /** Returns whether an element stays where it is, because the driver clicks at its position. */
  const isStill = (element: Element) =>
    call<boolean>("POST", `${session}/execute/async`, { script: stillScript, args: [element] });

  /** Finds the first visible element, once the page's scripts run. */
  async function find(kind: string, name: string | RegExp, role = ""): Promise<Element | null> {
    if (!(await run<boolean>("return 'TestingLibraryDom' in window"))) await run(library);
    return run<Element | null>(findScript, kind, name, role);
  }
  type Work = (path: string, element: Element) => Promise<unknown>;
  async function act(what: string, look: () => Promise<Element | null>, work: Work) {
    await retry(what, async () => {
      const element = await look();
      if (!element || !(await isStill(element))) return false;
      await work(`${session}/element/${Object.values(element)[0]}`, element);
      return true;
    });
  }
  const click: Work = (path) => call("POST", `${path}/click`, {});
  return {
    open: async (path: string) => void (await call("POST", `${session}/url`, { url: new URL(path, baseUrl).href })),
    press: (role: string, name: string | RegExp) =>
      act(`${role} ${String(name)}`, () => find("role", name, role), click),
    /** Replaces the text of a field. */
    type: (label: string | RegExp, text: string) =>
      act(
        `field ${String(label)}`,
        () => find("label", label),
        async (path, element) => {
          await run("arguments[0].focus(); arguments[0].select();", element);
          await call("POST", `${path}/value`, { text });
        },
      ),
    choose: (label: string, option: string | RegExp) =>
      act(`${String(option)} of ${label}`, () => find("option", option, label), click),
    /** Waits for visible text, and returns what the expression matched. */
    see: async (text: string | RegExp): Promise<string> => {
      let found: string | null = null;
      await retry(`text ${String(text)}`, async () => {
        found = await run<string | null>(seeScript, text);
        if (found === null) throw new Error(await run<string>("return location.href + document.body.innerText"));
        return true;
      });
      return found ?? "";
    },
    readAddress: () => run<string>("return location.pathname"),
    close: async () => {
      await call("DELETE", session).catch(() => undefined);
      if (driver.pid) process.kill(-driver.pid);
    },
  };
}

/** Repeats until the work succeeds. @throws Error that says what was missing, with the last failure */
async function retry(what: string, work: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WAIT_MS;
  let failure: unknown = "";
  while (performance.now() < end) {
    const isDone = await work().catch((error: unknown) => {
      failure = error;
      return false;
    });
    if (isDone) return;
    await pause(200);
  }
  throw new Error(`WebKit waited in vain for ${what}. ${String(failure).slice(0, 600)}`);
}

const toArgument = (value: unknown) => (value instanceof RegExp ? { source: value.source, flags: value.flags } : value);

const toMatch = "const match = (name) => (typeof name === 'string' ? name : new RegExp(name.source, name.flags));";

const stillScript = `
  const [element, done] = arguments;
  const read = () => element.isConnected && JSON.stringify(element.getBoundingClientRect());
  const before = read();
  requestAnimationFrame(() => requestAnimationFrame(() => done(before !== false && read() === before)));`;

const findScript = `${toMatch}
  if (!document.documentElement.hasAttribute("data-page-ready")) return null;
  const [kind, name, role] = arguments;
  const { within } = window.TestingLibraryDom;
  const dialog = [...document.querySelectorAll("[role=dialog]")].filter((one) => one.checkVisibility()).at(-1);
  const open = document.querySelector("[role=menu]");
  const page = within(open && role === "menuitem" ? document.body : (dialog ?? document.body));
  const found =
    kind === "role" ? page.queryAllByRole(role, { name: match(name) })
    : kind === "label" ? page.queryAllByLabelText(match(name), { selector: "input, textarea, select" })
    : page.queryAllByLabelText(match(role), { selector: "select" }).flatMap((select) =>
        [...select.options].filter(({ label }) => typeof name === "string" ? label === name : match(name).test(label)));
  const input = found.find((one) => one.localName === "option" || (one.checkVisibility() && !one.disabled));
  // People press the label of a radio button that is drawn elsewhere.
  const element = input?.type === "radio" && input.offsetWidth < 10 ? input.labels[0] : input;
  // The driver doesn't wait for smooth scrolling.
  element?.scrollIntoView({ block: "center", behavior: "instant" });
  return element ?? null;`;

const seeScript = `${toMatch}
  const wanted = match(arguments[0]);
  const text = document.body.innerText;
  if (typeof wanted === "string") return text.includes(wanted) ? wanted : null;
  return wanted.exec(text)?.[0] ?? null;`;
