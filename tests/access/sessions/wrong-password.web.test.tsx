import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { LoginForm } from "#web/access/sessions/login-form.tsx";
import { renderWeb } from "#tests/support/render-web.tsx";

const message = "Sorry, your user name or password is incorrect.";
vi.mock("#web/access/sessions/sign-in.ts", () => ({ signIn: async () => ({ kind: "refused", message }) }));

test("shows the error for a wrong password under the password field and focuses the field", async () => {
  const { user } = renderWeb(<LoginForm />);
  await user.type(screen.getByLabelText("Username"), "ada@demo.test");
  await user.type(screen.getByLabelText("Password"), "Wrong-pass-1");
  await user.click(screen.getByRole("button", { name: "Login" }));
  const password = screen.getByLabelText<HTMLInputElement>("Password");
  await waitFor(() => expect(password.getAttribute("aria-invalid")).toBe("true"));
  const described = (password.getAttribute("aria-describedby") ?? "").split(" ");
  expect(described.map((id) => document.getElementById(id)?.textContent).join(" ")).toContain(message);
  expect(document.activeElement).toBe(password);
});
