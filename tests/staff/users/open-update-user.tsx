import { screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { Link, Route, Routes } from "react-router-dom";
import { playApi } from "#tests/support/play-api.ts";
import { renderWeb } from "#tests/support/render-web.tsx";
import DataLayer from "#web/platform/data-layer.tsx";
import UpdateUserPage from "#web/pages/admin/update-user.tsx";
import { stored } from "./shown-user.ts";

/** Renders Update User with a mocked API. */
export async function open(answers: Parameters<typeof playApi>[0] = {}, user: object = stored) {
  const requests = playApi({ UserHeader: { user }, UserDetails: { user }, ...answers });
  const view = renderWeb(
    <>
      <Link to="/elsewhere/">Elsewhere</Link>
      <Routes>
        <Route
          path="/admin/update-user/:id/"
          element={
            <DataLayer>
              <UpdateUserPage />
            </DataLayer>
          }
        />
        <Route path="/elsewhere/" element={<p>Another page</p>} />
      </Routes>
    </>,
    { at: `/admin/update-user/${stored.id}/` },
  );
  await screen.findByLabelText("First Name");
  const sent = () => requests.filter(({ operation }) => operation === "UpdateUser").map(({ variables }) => variables);
  return { ...view, requests, sent };
}

/** Submits the form. */
export const submit = (user: UserEvent) => user.click(screen.getByRole("button", { name: "Submit" }));
/** Returns the mocked response to a saved form. */
export const saved = (changes: object = {}) => ({ UpdateUser: { updateUser: { ...stored, revision: 2, ...changes } } });
/** Returns the input of the last update. */
export const inputOf = (sent: Record<string, unknown>[]) => sent.at(-1)?.input as Record<string, unknown>;
