import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Appearance } from "#web/app/app.tsx";

test.each([
  ["while it is composed", { isComposing: true }],
  ["as Safari reports it", { keyCode: 229 }],
])("hides the Enter that commits an input method's text from the page, %s", (_how, composing) => {
  const press = vi.fn();
  render(
    <Appearance env="test">
      <input aria-label="Search" onKeyDown={press} />
    </Appearance>,
  );
  const box = screen.getByLabelText("Search");
  fireEvent.keyDown(box, { key: "Enter", ...composing });
  expect(press).not.toHaveBeenCalled();
  fireEvent.keyDown(box, { key: "Enter", keyCode: 13 });
  expect(press).toHaveBeenCalledTimes(1);
});
