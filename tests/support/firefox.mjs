#!/usr/bin/env node
/**
 * Starts Debian's Firefox, or the one in `FIREFOX_PATH`, for Playwright, which talks WebDriver BiDi with it, and changes
 * three things between them. Delete this file, and start Firefox alone, when none is needed.
 */
import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { WebSocket, WebSocketServer } from "ws";

/** Command that Playwright sends and Firefox ESR doesn't have yet, so that colour schemes can't be emulated. */
const missing = "emulation.setMediaFeaturesOverride";

/** Playwright fills fields with React's own setter, so that React notices no change. The browser's setter is like typing. */
const fillAsBrowser = (data) =>
  data
    .replace("inputElement.value += text;", "const value = inputElement.value + text; inputElement.value = value;")
    .replaceAll(
      "inputElement.value = value;",
      "Object.getOwnPropertyDescriptors(Object.getPrototypeOf(inputElement)).value.set.call(inputElement, value);",
    );

const firefox = spawn(process.env.FIREFOX_PATH ?? "firefox-esr", process.argv.slice(2), {
  stdio: ["ignore", "inherit", "pipe"],
});
firefox.on("exit", (code) => process.exit(code ?? 0));
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => firefox.kill(signal));

/** Playwright knows a download by an id that Firefox ESR doesn't send. The address of a file is as good. */
const nameDownload = (data) =>
  data.replace(
    /^(.*"method":"browsingContext\.download(?:WillBegin|End)","params":\{)(?=.*"url":("[^"]*"))/,
    '$1"download":$2,',
  );

createInterface({ input: firefox.stderr }).on("line", (line) => {
  const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
  if (!address) return process.stderr.write(`${line}\n`);
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" }, () =>
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}\n`),
  );
  server.on("connection", (playwright, { url }) => {
    const browser = new WebSocket(address + url, { perMessageDeflate: false });
    const opened = new Promise((resolve) => browser.once("open", resolve));
    playwright.on("message", async (data) => {
      await opened;
      const { id, method } = JSON.parse(data);
      if (method === missing) playwright.send(JSON.stringify({ type: "success", id, result: {} }));
      else browser.send(fillAsBrowser(data.toString("utf8")));
    });
    browser.on("message", (data) => playwright.send(nameDownload(new TextDecoder().decode(data))));
    playwright.on("close", () => browser.close());
    browser.on("close", () => playwright.close());
  });
});
