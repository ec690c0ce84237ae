import { copyText } from "#web/ui/copy-button.tsx";

/** Copies the example that is in sight beside the button pressed. */
export function copyOnClick(root: HTMLElement, signal: AbortSignal): void {
  root.addEventListener(
    "click",
    ({ target }) => {
      const button = target instanceof Element ? target.closest(".copy") : null;
      const examples = button?.closest(".code")?.querySelectorAll<HTMLElement>("pre") ?? [];
      const shown = [...examples].find((example) => getComputedStyle(example).display !== "none");
      if (shown) void copyText(shown.textContent ?? "", "The example has been copied to the clipboard.");
    },
    { signal },
  );
}
