import { expect, test } from "vitest";
import { describeDevice, getNetwork } from "#api/access/sessions/user-agent.ts";

const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";

test.each([
  [`${windows} ${webkit} Chrome/126.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [`${windows} ${webkit} Chrome/139.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [`${windows} ${webkit} HeadlessChrome/126.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [`${windows} ${webkit} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.2592.87`, "Edge on Windows"],
  [`${windows} ${webkit} Chrome/126.0.0.0 Safari/537.36 OPR/112.0.0.0`, "Opera on Windows"],
  [`${windows.replace(")", "; rv:127.0)")} Gecko/20100101 Firefox/127.0`, "Firefox on Windows"],
  ["Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko", "Internet Explorer on Windows"],
  [`${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15`, "Safari on macOS"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1",
    "Chrome on iPad",
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S921B) ${webkit} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet on Android",
  ],
  ["Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0", "Firefox on Android"],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/126.0.0.0 Safari/537.36`, "Chrome on ChromeOS"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0", "Firefox on Linux"],
  ["Mozilla/5.0 (X11; Linux x86_64) Unheard/1.0", "A browser on Linux"],
  ["Firefox/127.0", "Firefox"],
  ["curl/8.5.0", "curl"],
  ["python-requests/2.32", "python-requests"],
  ["node", "node"],
  ["", "An unknown program"],
  ["Mozilla/5.0", "An unknown program"],
  ["<script>alert(1)</script>", "An unknown program"],
  [`${"A".repeat(300)}/1.0`, "An unknown program"],
])("describes %j as %s", (userAgent, description) => {
  expect(describeDevice(userAgent)).toBe(description);
});

test.each([
  ["203.0.113.7", "203.0.113.0/24"],
  ["203.0.113.200", "203.0.113.0/24"],
  ["203.0.114.7", "203.0.114.0/24"],
  ["::ffff:203.0.113.7", "203.0.113.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
  ["2001:DB8:1:ffff::9", "2001:db8:1::/48"],
  ["2001:db8::1", "2001:db8:0::/48"],
  ["::1", "0:0:0::/48"],
])("maps %s to the network %s", (ip, network) => {
  expect(getNetwork(ip)).toBe(network);
});
