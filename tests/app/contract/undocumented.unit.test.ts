import Fastify from "fastify";
import { expect, test } from "vitest";
import { checkResponses, UNDOCUMENTED_HEADER } from "#api/dev/response-contract.ts";

test.each([
  ["that is documented", 200, [], null],
  ["with an undocumented body", 200, { rows: [] }, "200: it must be array"],
  ["with an undocumented status", 418, [], "418: status 418 is not documented"],
])("sends a response %s unchanged, with a header only if it is undocumented", async (_what, status, json, fault) => {
  const app = Fastify();
  checkResponses(app);
  app.get("/v1/promoCode", (_request, reply) => reply.code(status).send(json));
  app.get("/elsewhere", (_request, reply) => reply.code(status).send(json));
  const answer = await app.inject("/v1/promoCode");
  expect([answer.statusCode, answer.json(), answer.headers[UNDOCUMENTED_HEADER] ?? null]).toEqual([
    status,
    json,
    fault,
  ]);
  expect((await app.inject("/elsewhere")).headers[UNDOCUMENTED_HEADER]).toBe(undefined);
});
