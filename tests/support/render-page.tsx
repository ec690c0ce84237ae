import { act } from "@testing-library/react";
import { type ReactNode, Suspense } from "react";
import { renderWeb } from "./render-web.tsx";

/** Renders a page and waits for the texts that it loads lazily. */
export const renderPage = async (page: ReactNode, at?: string): Promise<ReturnType<typeof renderWeb>> =>
  act(async () => {
    const view = renderWeb(<Suspense fallback={null}>{page}</Suspense>, at ? { at } : {});
    await Promise.resolve();
    return view;
  });
