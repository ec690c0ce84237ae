import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useRequestKey } from "#web/billing/request-key.ts";

test("keeps the key of a request until its content changes or another one starts", () => {
  const { get, renew } = renderHook(useRequestKey).result.current;
  const first = get({ amountCents: 100 });
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(get({ amountCents: 100 })).toBe(first);
  const second = get({ amountCents: 200 });
  expect(second).not.toBe(first);
  renew();
  expect(get({ amountCents: 200 })).not.toBe(second);
});
