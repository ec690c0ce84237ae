import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { field } from "#tests/support/fill-form.ts";
import { renderWeb, resetSession } from "#tests/support/render-web.tsx";
import RegisterPage from "#web/pages/public/register.tsx";

beforeEach(resetSession);

test("applies choices made before the scripts loaded, and only once", async () => {
  window.chosenEarly = [
    ["isTester", true],
    ["country", "Albania"],
    ["no-such-field", true],
  ];
  renderWeb(<RegisterPage />, { at: "/register/" });
  expect((await screen.findByRole<HTMLInputElement>("checkbox", { name: /tester/i })).checked).toBe(true);
  expect(field("Country").value).toBe("Albania");
  expect(window.chosenEarly).toBeUndefined();
});
