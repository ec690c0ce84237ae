import compress from "@fastify/compress";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from "fastify";
import { brand } from "#schema/brand.ts";
import { authenticate } from "#api/access/sessions/authenticate.ts";
import { checkPermissions, permissions } from "#api/app/permissions.ts";
import { readTableTreatments } from "#api/privacy/personal-data.ts";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import { serveGraphql } from "#api/app/graphql.ts";
import { cleanHeaders } from "#api/app/clean-headers.ts";
import {
  closeConnectionsWhileDraining,
  getRoutedPath,
  refuseCallsWhileStarting,
  serveHealth,
} from "#api/app/health.ts";
import { Cookies } from "#api/platform/http/cookies.ts";
import { createRequestId, observeRequests, reportRefusal } from "#api/app/observe-requests.ts";
import { type Context, createContext, type Services, toPlainAddress } from "#api/platform/context.ts";
import { buildSecurityHeaders } from "#api/app/security-headers.ts";
import { servePortal } from "#api/app/portal.ts";
import { shedLoad } from "#api/app/shed-load.ts";
import { serveSoftware } from "#api/app/software.ts";
import { serveOpenApi } from "#api/v1/openapi.ts";
import { servePaymentsWebhook } from "#api/v1/payments-webhook.ts";
import { routes } from "#api/v1/routes.ts";
import { serveRoutes, sendError, toKnownError } from "#api/v1/serve-routes.ts";
import { answerUnroutedRequests, repairUrl } from "#api/app/unrouted-requests.ts";
import {
  limitBodyTime,
  defaultDeadlines,
  type RequestDeadlines,
  getServerOptions,
} from "#api/platform/http/request-deadlines.ts";
import { readForwardedAddresses } from "#api/platform/http/trusted-proxies.ts";
import { STOP_WAIT_MS, drainOnStop } from "./platform/lifecycle.ts";
import { AppError, badInput } from "./platform/errors.ts";
import { addMilliseconds, DAY } from "./platform/clock.ts";

/** Maximum size of a JSON body in bytes. Larger bodies are rejected with status 413. */
const BODY_LIMIT_BYTES = 100_000;

/** Above the length of any address that Node reads, so that no text in one gets an answer of the router's own. */
const MAX_PARAM_LENGTH = 20_000;

/** Creates the HTTP application, which serves every entry point of the product from one Fastify. It isn't listening yet. */
export async function createApp(
  services: Services,
  devPayments: import("./dev/dev-payments.ts").DevPayments | null = null,
  deadlines: RequestDeadlines = defaultDeadlines,
): Promise<FastifyInstance> {
  const { trustedProxies } = services.config;
  const app = Fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    // Fastify's own request lines include the URL, and URLs can contain tokens and emails.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    ...getServerOptions(deadlines),
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    genReqId: createRequestId,
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: false, maxParamLength: MAX_PARAM_LENGTH },
    rewriteUrl: ({ url = "/" }) => repairUrl(url),
    forceCloseConnections: "idle",
  });
  observeRequests(app);
  drainOnStop(app);
  limitBodyTime(app, deadlines);
  readForwardedAddresses(app, trustedProxies);
  const headers = buildSecurityHeaders(services);
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  cleanHeaders(app, services.config);
  const setPages = answerUnroutedRequests(app);
  refuseCallsWhileStarting(app, services);
  closeConnectionsWhileDraining(app, services);
  shedLoad(app);
  await app.register(compress, { threshold: 1_024, encodings: ["gzip"] });
  parseJsonBodies(app);

  const createRequestContext = async (request: FastifyRequest): Promise<Context> =>
    createContext(services, {
      actor: await authenticate(services, {
        authorization: request.headers.authorization,
        ip: toPlainAddress(request.ip),
      }),
      origin: {
        requestId: request.id,
        ip: request.ip,
        userAgent: request.headers["user-agent"] ?? "",
        cookies: (request.cookies = new Cookies(request, services.config)),
      },
    });
  app.decorateRequest("context", null as never);
  app.decorateRequest("cookies", null);

  app.addHook("onSend", (request, reply, _payload, done) => {
    if (request.cookies?.toSend.length) reply.header("set-cookie", request.cookies.toSend);
    if (/^\/(v1|graphql|dev|health)\b/i.test(getRoutedPath(request)) && !reply.hasHeader("cache-control"))
      reply.header("cache-control", "no-store");
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    const known = toKnownError(error, request);
    if (request.context) reportRefusal(request.context, known, `${request.method} ${request.routeOptions.url ?? ""}`);
    return sendError(reply, known, request.id);
  });

  app.addHook("preClose", (done) => {
    setTimeout(() => {
      services.reportPool.abortReports();
      services.reads.abortReports();
    }, STOP_WAIT_MS).unref();
    done();
  });

  if (services.config.checksResponses) {
    const { checkResponses } = await import("./dev/response-contract.ts");
    checkResponses(app);
  }
  serveHealth(app, services);
  const schema = buildGraphqlSchema();
  checkPermissions(schema, routes);
  readTableTreatments(services.orm);
  await serveGraphql(app, services, createRequestContext, schema);
  serveRoutes(app, routes, permissions, createRequestContext);
  serveOpenApi(app);
  servePaymentsWebhook(app, services);
  serveSoftware(app, services);
  let buildExplorer: (() => Promise<void>) | null = null;
  if (!services.config.production) {
    // A dynamic import keeps this code out of production.
    const { registerDev, buildExplorer: build } = await import("./dev/register-dev.ts");
    await registerDev(app, services, devPayments);
    buildExplorer = build;
  }
  serveWellKnown(app, services);
  setPages(await servePortal(app, services.config, { buildExplorer }));
  return app;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Accepts only uncompressed JSON bodies in valid UTF-8 without `__proto__`. An empty body counts as no body. */
function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    if (/gzip|deflate|br|zstd|compress/i.test(request.headers["content-encoding"] ?? ""))
      return done(new AppError("UNSUPPORTED_MEDIA_TYPE", { message: "Please send the body without compression." }));
    let text: string;
    try {
      text = utf8.decode(body);
    } catch {
      return done(badInput({ body: ["Must be valid UTF-8."] }));
    }
    return parse(request, text, (error: Error | null, json: unknown) =>
      error ? done(badInput({ body: ["Must be valid JSON."] })) : done(null, json),
    );
  });
}

/** Time until a fetched `security.txt` should be fetched again, in milliseconds. */
const VALID_MS = 180 * DAY;

/** Serves the addresses below `/.well-known/` that programs look for (RFC 8615). */
function serveWellKnown(app: FastifyInstance, { config, clock }: Services): void {
  // RFC 9116
  app.get("/.well-known/security.txt", (_request, reply) =>
    reply
      .type("text/plain; charset=utf-8")
      .send(
        [
          `Contact: mailto:${brand.mailboxes.support.email}`,
          `Expires: ${addMilliseconds(clock.now(), VALID_MS).toISOString()}`,
          "Preferred-Languages: en",
          `Canonical: ${config.publicUrl}/.well-known/security.txt`,
          "",
        ].join("\n"),
      ),
  );
  // Password managers open it: https://w3c.github.io/webappsec-change-password-url/
  app.get("/.well-known/change-password", (_request, reply) => reply.redirect("/change-password/"));
}
