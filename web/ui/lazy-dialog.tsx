import { type ComponentType, type ReactNode, Suspense, useState } from "react";
import { lazyPart } from "./lazy-part.tsx";

/**
 * A dialog whose code loads when it first opens, as a form's is heavy. It stays afterwards, so that it can close
 * slowly.
 * @param isOpen tells from the dialog's props whether it is wanted
 */
export function lazyDialog<TProps extends object>(
  load: () => Promise<ComponentType<TProps>>,
  isOpen: (props: TProps) => boolean,
): (props: TProps) => ReactNode {
  const Dialog = lazyPart<object>(async () => ({ default: (await load()) as ComponentType<object> }), "notification");
  return function LazyDialog(props) {
    const [wanted, setWanted] = useState(false);
    if (!wanted && isOpen(props)) setWanted(true);
    return (
      wanted && (
        <Suspense fallback={null}>
          <Dialog {...props} />
        </Suspense>
      )
    );
  };
}
