import { toNetwork } from "#api/platform/http/networks.ts";

/** The first match wins, because most browsers also claim to be the ones further down. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|OPT|Opera)\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Headless)?(?:Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/\bTrident\/|\bMSIE /, "Internet Explorer"],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b|\biPod\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

const findName = (list: readonly (readonly [RegExp, string])[], userAgent: string): string | undefined =>
  list.find(([pattern]) => pattern.test(userAgent))?.[1];

/**
 * Describes a user agent without versions: `Chrome on Windows`, `Firefox`, `A browser on Linux`, a program's own name
 * such as `curl`, or `An unknown program`. Updating a browser doesn't change its description.
 */
export function describeDevice(userAgent: string): string {
  const browser = findName(browsers, userAgent);
  const system = findName(systems, userAgent);
  if (system) return `${browser ?? "A browser"} on ${system}`;
  if (browser) return browser;
  // Programs put their own name first. It is shown on screen, so accept only a plain word.
  const program = /^(?!Mozilla\b)([A-Za-z][\w-]{0,29})(?=[/\s]|$)/.exec(userAgent)?.[1];
  return program ?? "An unknown program";
}

/**
 * Returns the network of an IP address: the /24 for IPv4, the /48 for IPv6. A home or office usually keeps its network
 * while its address changes.
 */
export function getNetwork(ip: string): string {
  return toNetwork(ip, 48).replace(/^(\d+\.\d+\.\d+)\.\d+$/, "$1.0/24");
}
