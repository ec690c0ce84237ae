import helmet from "helmet";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { readBuiltPages } from "./portal.ts";
import type { Services } from "#api/platform/context.ts";

/**
 * Builds the security headers that every response has. They don't depend on the request, so they are built once: running
 * Helmet for each response would make small responses about 5% slower.
 */
export function buildSecurityHeaders(services: Services): Readonly<Record<string, string>> {
  const protect = helmet({
    contentSecurityPolicy: { directives: buildContentSecurityPolicy(services) },
    hsts: services.config.production,
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
  });
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  protect(response.req, response, (error) => {
    if (error) throw error as Error;
  });
  return {
    ...Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)])),
    "permissions-policy": buildPermissionsPolicy(services),
  };
}

/** Browser features that no page uses, listed because most are allowed by default. */
const unusedFeatures = [
  "accelerometer",
  "camera",
  "display-capture",
  "encrypted-media",
  "geolocation",
  "gyroscope",
  "hid",
  "idle-detection",
  "magnetometer",
  "microphone",
  "midi",
  "screen-wake-lock",
  "serial",
  "usb",
  "xr-spatial-tracking",
] as const;

/** Browser features for this host's own pages: passkeys, films, copying text. */
const ownFeatures = [
  "autoplay",
  "clipboard-write",
  "fullscreen",
  "picture-in-picture",
  "publickey-credentials-create",
  "publickey-credentials-get",
] as const;

/** Builds the permissions policy of all pages. The payment provider's frames may offer the wallets of the browser. */
function buildPermissionsPolicy({ payments }: Services): string {
  const wallets = payments.cardEntry.kind === "provider" ? '(self "https://js.stripe.com")' : "()";
  return [
    ...unusedFeatures.map((name) => `${name}=()`),
    ...ownFeatures.map((name) => `${name}=(self)`),
    `payment=${wallets}`,
  ].join(", ");
}

/** Hosts that the analytics tag is loaded from and sends data to. */
const analyticsHosts = {
  script: ["https://www.googletagmanager.com"],
  connect: ["https://*.google-analytics.com", "https://*.analytics.google.com", "https://*.googletagmanager.com"],
  img: ["https://*.google-analytics.com", "https://*.googletagmanager.com"],
};

/**
 * Builds the content security policy of all pages, limited to what the portal uses. Mantine needs inline style
 * attributes. Inline scripts run only if the build put them there, and a default policy of Trusted Types checks what scripts
 * add to a page (before-paint.js). The payment provider's scripts and frames and the
 * analytics tag are allowed only if they are set up.
 */
function buildContentSecurityPolicy({ payments, config }: Services) {
  const provider = (...sources: string[]) => (payments.cardEntry.kind === "provider" ? sources : []);
  const analytics = (kind: keyof typeof analyticsHosts) => (config.analyticsTagId ? analyticsHosts[kind] : []);
  const pageScripts = (readBuiltPages()?.scripts ?? []).map((hash) => `'${hash}'`);
  const cardScripts = provider("https://js.stripe.com", "https://*.js.stripe.com");
  return {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'", ...pageScripts, ...cardScripts, ...analytics("script")],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", "data:", ...analytics("img")],
    fontSrc: ["'self'"],
    mediaSrc: ["'self'"],
    manifestSrc: ["'self'"],
    connectSrc: ["'self'", ...provider("https://api.stripe.com"), ...analytics("connect")],
    frameSrc: ["'self'", ...cardScripts, ...provider("https://hooks.stripe.com")],
    objectSrc: ["'none'"],
    requireTrustedTypesFor: ["'script'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
    formAction: ["'self'"],
    upgradeInsecureRequests: null,
  };
}
