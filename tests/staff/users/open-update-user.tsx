import { screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { Link, Route, Routes } from "react-router-dom";
import { mockApi } from "#tests/support/mock-api.ts";
import { renderLoaded } from "#tests/support/mock-query.tsx";
import UpdateUserPage from "#web/staff/users/update-user-page.tsx";
import { storedUser } from "./stored-user.ts";

/** Renders Update User. */
export const renderUpdateUser = (query = "") =>
  renderLoaded(
    <>
      <Link to="/elsewhere/">Elsewhere</Link>
      <Routes>
        <Route path="/admin/update-user/:id/" element={<UpdateUserPage />} />
        <Route path="/elsewhere/" element={<p>Another page</p>} />
      </Routes>
    </>,
    `/admin/update-user/${storedUser.id}/${query}`,
  );

/** Renders the tab User Details of Update User with a mocked API. */
export async function openUpdateUser(answers: Parameters<typeof mockApi>[0] = {}, user: object = storedUser) {
  const requests = mockApi({ UserHeader: { user }, UserDetails: { user }, ...answers });
  const view = renderUpdateUser("?tab=details");
  await screen.findByLabelText("First Name");
  const sent = () => requests.filter(({ operation }) => operation === "UpdateUser").map(({ variables }) => variables);
  return { ...view, requests, sent };
}

export const submit = (user: UserEvent) => user.click(screen.getByRole("button", { name: "Submit" }));
/** Returns the mocked response to a saved form. */
export const mockSavedUser = (changes: object = {}) => ({
  UpdateUser: { updateUser: { ...storedUser, revision: 2, ...changes } },
});
/** Returns the input of the last update. */
export const getLastInput = (sent: Record<string, unknown>[]) => sent.at(-1)?.input as Record<string, unknown>;
