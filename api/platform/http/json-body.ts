import type { FastifyInstance } from "fastify";
import { AppError } from "#api/platform/errors.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Accepts only JSON bodies in valid UTF-8 without `__proto__`. An empty body counts as no body. */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    let text: string;
    try {
      text = utf8.decode(body);
    } catch {
      return done(new AppError("BAD_USER_INPUT", { fields: { body: ["Must be valid UTF-8."] } }));
    }
    return parse(request, text, (error: Error | null, json: unknown) =>
      error ? done(new AppError("BAD_USER_INPUT", { fields: { body: ["Must be valid JSON."] } })) : done(null, json),
    );
  });
}
