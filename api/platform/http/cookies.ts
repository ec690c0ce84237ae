import type { FastifyRequest } from "fastify";
import type { Config } from "#api/platform/config.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set with the request's context. */
    cookies: Cookies | null;
  }
}

/**
 * The cookies of a request and its response. All cookies of the product are for the server only: scripts can't read
 * them (`HttpOnly`), and other sites don't send them (`SameSite=Strict`). Over HTTPS and on localhost their names begin
 * with `__Host-`, so no other host can set them. Safari accepts such cookies only over HTTPS.
 */
export class Cookies {
  readonly #received: string;
  readonly #publicUrl: string;
  /** Values of the response's `Set-Cookie` headers. */
  readonly toSend: string[] = [];
  /** True for a request by a page. Browsers send one of these headers with every POST request; programs don't. */
  readonly isFromBrowser: boolean;
  /** True if the portal sent the request and wants its refresh token in a cookie instead of the response. */
  readonly wantsRefreshCookie: boolean;

  constructor(request: FastifyRequest, { publicUrl }: Pick<Config, "publicUrl">) {
    this.#received = request.headers.cookie ?? "";
    this.#publicUrl = publicUrl;
    const site = request.headers["sec-fetch-site"];
    this.isFromBrowser = site !== undefined || request.headers.origin !== undefined;
    // Other sites can't send this header, and old browsers don't send the other one.
    this.wantsRefreshCookie =
      request.headers["x-refresh-token"] === "cookie" && (site === undefined || site === "same-origin");
  }

  /** Returns the value of a cookie, or an empty string. */
  read(name: string): string {
    const start = `${this.#fullName(name)}=`;
    const found = this.#received.split(";").find((one) => one.trimStart().startsWith(start));
    return found?.trim().slice(start.length) ?? "";
  }

  /** Sends a cookie with the response. The value may contain only letters, digits and `-._~`. */
  send(name: string, value: string, maxAgeSeconds: number): void {
    const secure = this.#isSecure ? "; Secure" : "";
    this.toSend.push(
      `${this.#fullName(name)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`,
    );
  }

  /** Computed when needed, because most requests have no cookies. */
  get #isSecure(): boolean {
    const { protocol, hostname } = new URL(this.#publicUrl);
    return protocol === "https:" || hostname === "localhost";
  }

  #fullName(name: string): string {
    return this.#isSecure ? `__Host-${name}` : name;
  }
}
