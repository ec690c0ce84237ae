import { act } from "@testing-library/react";
import { type ReactNode, Suspense } from "react";
import { renderWeb } from "./render-web.tsx";

/** Renders a page whose long texts load after it, as one that is opened within the portal; answers once they are there. */
export async function renderPage(page: ReactNode, at?: string): Promise<ReturnType<typeof renderWeb>> {
  return act(async () => {
    const view = renderWeb(<Suspense fallback={null}>{page}</Suspense>, at ? { at } : {});
    await Promise.resolve();
    return view;
  });
}
