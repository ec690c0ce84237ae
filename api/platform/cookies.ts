import type { FastifyRequest } from "fastify";
import type { Config } from "./config.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set with the request's context. */
    cookies: Cookies | null;
  }
}

/**
 * The cookies of a request and its response. All cookies of the product are for the server only: scripts can't read
 * them (`HttpOnly`), and other sites don't send them (`SameSite=Strict`). Over HTTPS their names begin with `__Host-`,
 * so no other host can set them.
 */
export class Cookies {
  readonly #received: string;
  readonly #isSecure: boolean;
  /** Values of the response's `Set-Cookie` headers. */
  readonly toSend: string[] = [];

  constructor(request: FastifyRequest, { publicUrl }: Pick<Config, "publicUrl">) {
    this.#received = request.headers.cookie ?? "";
    this.#isSecure = publicUrl.startsWith("https:");
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

  #fullName(name: string): string {
    return this.#isSecure ? `__Host-${name}` : name;
  }
}
