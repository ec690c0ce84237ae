import { afterEach, expect, test, vi } from "vitest";
import { goToPlace } from "#web/ui/go-to-place.ts";

afterEach(() => {
  delete window.fontsHere;
});

/** Everything that was promised by now has been done. */
const settled = () => new Promise((done) => setTimeout(done));

/** A place that counts how often it is gone to, and the moment at which the page's fonts come. */
function place() {
  const fonts = Promise.withResolvers<void>();
  window.fontsHere = fonts.promise;
  const target = document.createElement("p");
  const gone = vi.fn();
  target.scrollIntoView = gone;
  return { target, gone, fontsCome: fonts.resolve };
}

test("a place is gone to once the page is drawn, and again when its fonts have come", async () => {
  const { target, gone, fontsCome } = place();
  goToPlace(target);
  await vi.waitFor(() => expect(gone).toHaveBeenCalledTimes(1));
  await settled();
  expect(gone).toHaveBeenCalledTimes(1);
  fontsCome();
  await vi.waitFor(() => expect(gone).toHaveBeenCalledTimes(2));
});

test("who has let go of a place is not taken back to it", async () => {
  const { target, gone, fontsCome } = place();
  const letGo = goToPlace(target);
  await vi.waitFor(() => expect(gone).toHaveBeenCalledTimes(1));
  letGo();
  fontsCome();
  await settled();
  expect(gone).toHaveBeenCalledTimes(1);
});
