/** The first that matches counts: most browsers also claim to be those below them. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|OPT|Opera)\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Headless)?(?:Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
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

const nameIn = (list: readonly (readonly [RegExp, string])[], userAgent: string): string | undefined =>
  list.find(([pattern]) => pattern.test(userAgent))?.[1];

/**
 * A user agent in words without versions: `Chrome on Windows`, `Firefox`, `A browser on Linux`, a program by its own
 * name such as `curl`, or `An unknown program`. An updated browser is still the same words.
 */
export function deviceInWords(userAgent: string): string {
  const browser = nameIn(browsers, userAgent);
  const system = nameIn(systems, userAgent);
  if (system) return `${browser ?? "A browser"} on ${system}`;
  if (browser) return browser;
  // Programs name themselves first; what they say is shown, so only plain words of it.
  const program = /^(?!Mozilla\b)([A-Za-z][\w-]{0,29})(?=[/\s]|$)/.exec(userAgent)?.[1];
  return program ?? "An unknown program";
}

/**
 * The network an address belongs to: IPv4 its /24, IPv6 its /48. A home or an office keeps it while the last part of
 * its address changes.
 */
export function networkOf(ip: string): string {
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/i.exec(ip)?.[1];
  if (ipv4) return `${ipv4}.0/24`;
  const [head = "", tail] = ip.toLowerCase().split("::");
  const groups = head.split(":").filter(Boolean);
  const filled = tail === undefined ? groups : [...groups, "0", "0", "0"];
  return `${filled.slice(0, 3).join(":")}::/48`;
}
