import { render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { tolerateTranslatedText } from "#web/platform/translated-text.ts";

const methods = Object.getOwnPropertyDescriptors(Node.prototype);
afterEach(() => {
  const { removeChild, insertBefore } = methods;
  Object.defineProperties(Node.prototype, { removeChild, insertBefore });
});

function Status({ step }: { step: 1 | 2 }) {
  return (
    <p>
      {step === 2 && <b>Saved </b>}
      {step === 1 && "Saving "}
      {"the form"}
      {step === 2 && <i> now</i>}
    </p>
  );
}

test("goes on after the browser has translated texts that React removes or adds something before", () => {
  tolerateTranslatedText();
  const { container, rerender } = render(<Status step={1} />);
  for (const text of Array.from(container.firstChild?.childNodes ?? [])) {
    const translated = document.createElement("font");
    translated.textContent = `${text.textContent} (translated)`;
    text.replaceWith(translated);
  }
  rerender(<Status step={2} />);
  expect(container.querySelector("b")?.textContent).toBe("Saved ");
  expect(container.querySelector("i")?.textContent).toBe(" now");
});
