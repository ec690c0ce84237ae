import { Type } from "typebox";
import { namedObject } from "#api/platform/http/define-route.ts";

/** Lets clients and proxies keep the keys for five minutes. A new key is published long before it signs. */
export const cachedKeys = { "cache-control": "public, max-age=300" };

/** A published JWK set of ES256 keys (RFC 7517). */
export const publishedKeys = namedObject("SigningKeys", {
  keys: Type.Array(
    namedObject("SigningKey", {
      kty: Type.Literal("EC"),
      crv: Type.Literal("P-256"),
      x: Type.String(),
      y: Type.String(),
      kid: Type.String(),
      use: Type.Literal("sig"),
      alg: Type.Literal("ES256"),
    }),
  ),
});

/** Builds an example of {@link publishedKeys} with one key. */
export const exampleKey = (kid: string) => ({
  keys: [{ kty: "EC", crv: "P-256", x: "f83OJ3D2…", y: "x_FEzRu9…", kid, use: "sig", alg: "ES256" }],
});
