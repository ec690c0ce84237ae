import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import TutorialsPage from "#web/pages/public/tutorials.tsx";
import { renderPage } from "#tests/support/render-page.tsx";

test("shows eight tutorials, the first with a video and the others with a picture", async () => {
  await renderPage(<TutorialsPage />, "/resources-and-support/installation-support-tutorials/");
  await screen.findByRole("heading", { level: 1, name: "Installation and Support Tutorials" });
  const cards = screen
    .getAllByRole("listitem")
    .filter((card) => within(card).queryByRole("heading", { level: 2 }) && within(card).queryByText("Read the steps"));
  expect(cards).toHaveLength(8);
  for (const [index, card] of cards.entries()) {
    expect(card.querySelectorAll("video")).toHaveLength(index === 0 ? 1 : 0);
    expect(card.querySelectorAll("[class*=media] > svg")).toHaveLength(index === 0 ? 0 : 1);
    const link = within(card).getByRole("heading", { level: 2 }).querySelector("a");
    expect(document.querySelector(link?.getAttribute("href") ?? "none")).toBeTruthy();
  }
});

test("opens the steps of the tutorial in the URL fragment", async () => {
  await renderPage(<TutorialsPage />, "/resources-and-support/installation-support-tutorials/#tutorial-2");
  await waitFor(() => expect(screen.getAllByRole("button", { expanded: true })).toHaveLength(1));
  expect(screen.getByText("Enter Licence Code")).toBeTruthy();
});
