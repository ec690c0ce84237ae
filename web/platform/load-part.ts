import { type ComponentType, lazy, type LazyExoticComponent } from "react";
import { isOffline } from "./connection.ts";

/** Error thrown when one of the portal's files could not be loaded. */
export class PartLoadError extends Error {
  override readonly name = "PartLoadError";
  /**
   * True if the file was not requested because the browser was offline, so it can be loaded later. Otherwise only a
   * reload helps: browsers remember a failed import for as long as the page is open.
   */
  readonly canRetry: boolean;
  /**
   * Makes the next render request the file again. Only the boundary that caught the error may call it: if the file were
   * requested again before the error is on the screen, a page that is being hydrated would wait forever.
   */
  allowRetry: () => void = () => {};

  constructor(canRetry: boolean, options?: ErrorOptions) {
    super(
      canRetry
        ? "A file of the portal could not be loaded while offline."
        : "A file of the portal could not be loaded.",
      options,
    );
    this.canRetry = canRetry;
  }
}

/**
 * Loads a part of the portal with a dynamic `import()`.
 * @throws PartLoadError if the browser is offline or the file could not be loaded
 */
export async function loadPart<TPart>(load: () => Promise<TPart>): Promise<TPart> {
  if (isOffline()) throw new PartLoadError(true);
  try {
    return await load();
  } catch (cause) {
    throw cause instanceof PartLoadError ? cause : new PartLoadError(false, { cause });
  }
}

type LazyComponent<TProps> = LazyExoticComponent<ComponentType<TProps>> | ComponentType<TProps>;

/**
 * Creates a `React.lazy` component that requests its file again once a boundary has shown the failure. If `loadNow` has
 * loaded the file before the first render, the component is shown without a placeholder.
 */
export function retryingLazy<TProps>(
  load: () => Promise<{ default: ComponentType<TProps> }>,
): (() => LazyComponent<TProps>) & { loadNow: () => Promise<void> } {
  const create = () =>
    lazy(() =>
      loadPart(load).catch((error: unknown) => {
        if (error instanceof PartLoadError)
          error.allowRetry = () => {
            current = create();
          };
        throw error;
      }),
    );
  let current: LazyComponent<TProps> = create();
  let isShown = false;
  const get = () => {
    isShown = true;
    return current;
  };
  const loadNow = async () => {
    const { default: loaded } = await loadPart(load);
    // Another component in its place would lose the state of a shown one.
    if (!isShown) current = loaded;
  };
  return Object.assign(get, { loadNow });
}
