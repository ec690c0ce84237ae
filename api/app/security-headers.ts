import helmet from "helmet";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { builtPages } from "./portal.ts";
import type { Services } from "#api/platform/context.ts";

/**
 * The headers of every answer, put together once: Helmet, which knows no more of a request than this, would set each of
 * them anew on every answer, at a twentieth of what a small one costs.
 */
export function securityHeaders(services: Services): Readonly<Record<string, string>> {
  const protect = helmet({
    contentSecurityPolicy: { directives: contentSecurityPolicy(services) },
    hsts: services.config.production,
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
  });
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  protect(response.req, response, (error) => {
    if (error) throw error as Error;
  });
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
}

/** Where the analytics tag comes from and what it sends to. */
const analyticsHosts = {
  script: ["https://www.googletagmanager.com"],
  connect: ["https://*.google-analytics.com", "https://*.analytics.google.com", "https://*.googletagmanager.com"],
  img: ["https://*.google-analytics.com", "https://*.googletagmanager.com"],
};

/**
 * The policy of all pages, narrowed to what the portal uses; Mantine sets inline style attributes. Of
 * scripts within a page, only those that the build put there run. The payment provider's card fields are its own script
 * and frames, and the analytics tag is another's: each allowed only where it is set up.
 */
function contentSecurityPolicy({ payments, config }: Services) {
  const provider = (...sources: string[]) => (payments.cardEntry.kind === "provider" ? sources : []);
  const analytics = (kind: keyof typeof analyticsHosts) => (config.analyticsTagId ? analyticsHosts[kind] : []);
  const pageScripts = (builtPages()?.scripts ?? []).map((hash) => `'${hash}'`);
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
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
    formAction: ["'self'"],
    upgradeInsecureRequests: null,
  };
}
